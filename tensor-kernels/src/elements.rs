//! Type-erased elements and operands, for graphs.

use core::any::Any;

use crate::array_ref::ArrayRef;
use crate::element::Element;
use crate::layout::graph::{Elements, Part, PartSizes};
use crate::storage::{ErasedBuffer, Storage};

impl<'a, T: Element> ArrayRef<'a, T> {
    /// The operand without its element type.
    pub fn part(self, sizes: &'a [usize]) -> Part<'a> {
        let elements: &dyn Elements = match self.storage() {
            Ok(storage) => storage,
            Err(scalar) => scalar,
        };
        Part { sizes: PartSizes::Known(sizes), layout: self.layout(), elements }
    }
}

impl<'a> Part<'a> {
    /// The operand of a [`Run`](crate::layout::graph::Run), with its element type.
    ///
    /// # Panics
    ///
    /// If it has another one.
    pub(crate) fn array<T: Element>(self) -> ArrayRef<'a, T> {
        let elements: &dyn Any = self.elements;
        let storage: &Storage<T> = elements.downcast_ref().expect("the element type of the trace");
        ArrayRef::new(self.layout, storage)
    }
}

impl<T: Element> Elements for Storage<T> {
    fn element(&self) -> usize {
        T::NUMBER
    }

    #[inline(never)]
    fn buffer(&self) -> Option<ErasedBuffer> {
        match self {
            Self::Heap(buffer) => Some(buffer.clone().erased()),
            Self::Inline(_) | Self::FromVec(_) => None,
        }
    }
}

/// A scalar.
impl<T: Element> Elements for T {
    fn element(&self) -> usize {
        T::NUMBER
    }

    fn buffer(&self) -> Option<ErasedBuffer> {
        None
    }
}
