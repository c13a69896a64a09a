//! Recording of operations on typed tensors for gradients.

#![allow(unsafe_code, reason = "a shape is read as one that has sizes")]

use tensor_array::array::history::Rule;
use tensor_array::array::history::parts::recorded_result;
pub(crate) use tensor_array::array::recording::{
    Outcome, Recordable, refuse_recorded, refuse_to_write,
};
use tensor_kernels::element::Element;
use tensor_kernels::layout::graph::{HasSizes, Part, PartSizes};
use tensor_kernels::layout::{Layout, is_recorded};
use tensor_kernels::storage::Storage;

use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::typed_view::{SizesOf, View};

/// A shape whose sizes are computed when an operation is recorded.
#[repr(transparent)]
struct ShapeSizes<S>(S);

impl<S: Shape> HasSizes for ShapeSizes<S> {
    fn sizes(&self) -> Sizes {
        self.0.sizes()
    }
}

/// The sizes of a shape.
#[inline(always)]
fn sizes_of<S: Shape>(shape: &S) -> PartSizes<'_> {
    if const { S::STATIC_SIZES.is_some() } {
        PartSizes::Known(SizesOf::<S>::STATIC)
    } else {
        // SAFETY: a transparent struct has the memory layout of its field.
        PartSizes::Of(unsafe { &*core::ptr::from_ref(shape).cast::<ShapeSizes<S>>() })
    }
}

impl<S: Shape, T: Element> Recordable for View<'_, S, T> {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        self.array.is_recorded()
    }

    #[inline(always)]
    fn part(&self) -> Part<'_> {
        Part { sizes: sizes_of(&self.shape), ..self.array.part(&[]) }
    }
}

impl<S: Shape, T: Element> Recordable for Tensor<S, T> {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        is_recorded(self.layout.as_deref())
    }

    #[inline(always)]
    fn part(&self) -> Part<'_> {
        let layout = self.layout.as_deref();
        Part { sizes: sizes_of(&self.axes), layout, elements: &self.storage }
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The result with the storage and layout that `record` returns for its elements.
    #[inline(always)]
    fn recorded_by(
        self,
        record: impl FnOnce(Storage<T>, PartSizes<'_>) -> (Storage<T>, Layout),
    ) -> Self {
        let Self { axes: shape, layout: none, storage } = self;
        // It has no history yet: code to drop it would be compiled for each shape.
        core::mem::forget(none);
        let (storage, layout) = record(storage, sizes_of(&{ shape }));
        Self { axes: shape, layout, storage }
    }
}

impl<S: Shape, T: Element> Outcome for Tensor<S, T> {
    const IS_FLOAT: bool = T::IS_FLOAT;

    #[inline(always)]
    fn record(self, rule: Rule, operands: &[&dyn Recordable]) -> Self {
        self.recorded_by(|storage, sizes| recorded(storage, sizes, rule, operands))
    }
}

/// The elements of a recorded result, and its layout, which holds the history.
#[cold]
#[inline(never)]
fn recorded<T: Element>(
    storage: Storage<T>,
    sizes: PartSizes<'_>,
    rule: Rule,
    operands: &[&dyn Recordable],
) -> (Storage<T>, Layout) {
    let layout = recorded_result(sizes, &storage, rule, &operands);
    (storage, layout)
}
