//! What a rule reads beside the gradient of the result, kept in a node.

use core::any::TypeId;

use smallvec::SmallVec;

use super::{AnyArray, Saves};
use crate::array::dynamic::DynTensor;
use crate::array::layout::{Layout, Strides, layout_of};
use crate::array::storage::{Buffer, RawBuffer, Storage};
use crate::element::Element;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

/// An array without its history, whose sizes the node has: those of an operand or of the result.
pub(crate) enum SavedArray {
    /// Elements of this type in memory of their own; `layout` is row-major where the operand of the node has a
    /// view, which says it.
    ///
    /// A node takes no memory for it.
    Buffer { element: TypeId, buffer: RawBuffer, layout: Layout },
    /// Any other.
    Any(AnyArray),
}

impl SavedArray {
    /// The array of elements `T`, if they are.
    pub(super) fn array<T: Element>(
        &self,
        sizes: &[usize],
        view: View<'_>,
    ) -> Option<DynTensor<T>> {
        match self {
            Self::Buffer { element, buffer, layout } if *element == TypeId::of::<T>() => {
                // SAFETY: the elements are of this type.
                let buffer = unsafe { Buffer::from_raw(buffer.clone()) };
                let layout = match view {
                    Some((offset, strides)) => {
                        layout_of(sizes, *offset, Strides::from_slice(strides), None)
                    }
                    None => layout.clone(),
                };
                Some(DynTensor { sizes: sizes.into(), layout, storage: Storage::Heap(buffer) })
            }
            Self::Buffer { .. } => None,
            Self::Any(array) => array.get().cloned(),
        }
    }

    /// The array.
    pub(super) fn any(&self, sizes: &[usize], view: View<'_>) -> AnyArray {
        /// Tries all types.
        macro_rules! typed {
            ($($(#[$meta:meta])* $T:ident: $class:ident $other:ident;)+) => {{
                $(
                    $(#[$meta])*
                    if let Some(array) = self.array::<$T>(sizes, view) {
                        return AnyArray::new(array);
                    }
                )+
                unreachable!("every element type is in the table")
            }};
        }
        if let Self::Any(array) = self {
            return array.clone();
        }
        for_each_element!(typed)
    }
}

/// Where the elements of an operand lie among those of its node.
pub(super) type View<'a> = Option<&'a (usize, Strides)>;

/// The arrays that a rule reads: in one place, so that a node takes no memory for each.
#[derive(Default)]
pub(crate) struct Saved {
    operands: usize,
    arrays: SmallVec<[SavedArray; 3]>,
}

impl Saved {
    /// Room for what a rule reads of this number of operands, then of the result.
    pub(super) fn reserve(&mut self, saves: Saves, operands: usize) {
        self.operands = saves.operands.min(operands);
        self.arrays.reserve(self.operands + usize::from(saves.result));
    }

    pub(super) fn push_operand(&mut self, operand: SavedArray) {
        debug_assert!(self.arrays.len() < self.operands, "an operand that the rule reads");
        self.arrays.push(operand);
    }

    pub(super) fn push_result(&mut self, result: SavedArray) {
        debug_assert_eq!(self.arrays.len(), self.operands, "the result is the last one");
        self.arrays.push(result);
    }

    /// The operands that a rule reads, of all there are, and the result where it reads it.
    pub(crate) fn new(
        saves: Saves,
        operands: impl ExactSizeIterator<Item = AnyArray>,
        result: impl FnOnce() -> AnyArray,
    ) -> Self {
        let mut saved = Self::default();
        saved.reserve(saves, operands.len());
        let count = saved.operands;
        saved.arrays.extend(operands.take(count).map(SavedArray::Any));
        if saves.result {
            saved.push_result(SavedArray::Any(result()));
        }
        saved
    }

    /// A result that a rule keeps itself.
    pub(super) fn only_result(result: AnyArray) -> Self {
        let mut saved = Self::default();
        saved.push_result(SavedArray::Any(result));
        saved
    }

    /// # Panics
    ///
    /// If the rule did not say that it reads operands.
    pub(super) fn operand(&self, place: usize) -> &SavedArray {
        self.arrays[..self.operands].get(place).expect("the rule said that it reads the operands")
    }

    /// # Panics
    ///
    /// If the rule did not say that it reads the result.
    pub(super) fn result(&self) -> &SavedArray {
        self.arrays.get(self.operands).expect("the rule said that it reads the result")
    }
}
