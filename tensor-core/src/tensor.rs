//! [`Tensor`]: a shape, a storage of elements, and the layout that maps indices to elements.

use tensor_kernels::array_ref::ArrayRef;
use tensor_kernels::element::Element;
use tensor_kernels::layout::Layout;
use tensor_kernels::storage::Storage;

use crate::shape::Shape;
use crate::tensor::typed_view::View;

/// An array of shape `S` with elements of type `T`; `a + b` broadcasts, or does not compile.
///
/// A tensor is a value with copy-on-write storage: cloning and views (`transpose`, `expand`,
/// `reshape` …) do not copy elements, and writing to one tensor never changes another. Up to 16
/// elements are stored inline.
///
/// ```
/// use tensor_core::{Tensor, shape, tensor};
///
/// let rows: Tensor<shape![2, 3]> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// let bias = tensor![10.0, 20.0, 30.0];
/// assert_eq!(rows + bias, tensor![[11.0, 22.0, 33.0], [14.0, 25.0, 36.0]]);
/// ```
#[diagnostic::on_move(
    label = "to use this tensor again, write `&` in front of it where it is moved"
)]
#[tensor_array_macros::bounds_without_source]
pub struct Tensor<S, T = f32>
where
    S: Shape,
    T: Element,
{
    /// Not `shape`: of `x.shape[0]` the compiler would say that the field is private (see [`other_names`]).
    pub(crate) axes: S,
    // Dropped before the layout, whose drop does not unwind: the compiler needs no cleanup code for it.
    pub(crate) storage: Storage<T>,
    pub(crate) layout: Layout,
}

impl<S: Shape, T: Element> Clone for Tensor<S, T> {
    /// Clones the layout first: elements cloned before it would have to be moved after it.
    #[inline]
    fn clone(&self) -> Self {
        let layout = self.layout.clone();
        Self { axes: self.axes, storage: self.storage.clone(), layout }
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The tensor with these elements in row-major order.
    #[inline]
    pub(crate) fn from_storage(shape: S, storage: Storage<T>) -> Self {
        Self { axes: shape, layout: Layout::ROW_MAJOR, storage }
    }

    /// The same elements in another shape of the same sizes.
    #[inline]
    pub(crate) fn in_shape<R: Shape>(self, shape: R) -> Tensor<R, T> {
        let Self { layout, storage, .. } = self;
        Tensor { axes: shape, layout, storage }
    }

    /// The offset of the element at index `[0, 0, …]`, the strides, and the stored elements.
    #[cfg(any(feature = "nalgebra", feature = "ndarray"))]
    #[track_caller]
    pub(crate) fn strided(&self) -> (usize, tensor_kernels::layout::Strides, &[T]) {
        let view = self.as_view();
        (view.offset(), view.strides(), view.elements())
    }

    /// A view of the tensor for reading.
    #[inline]
    pub(crate) fn as_view(&self) -> View<'_, S, T> {
        let array = ArrayRef::new(self.layout.as_deref(), &self.storage);
        View { shape: self.axes, array }
    }
}

// rustdoc shows the methods in this order.
mod construct;

mod ranges;

mod index;

mod iter;

mod view;

mod joining;

pub(crate) mod concat_tuple;

mod run_time_axes;
mod slicing;

mod axis_views;

mod splitting;

mod axis_iter;

pub(crate) mod operations;

pub(crate) mod indexing;
mod windows;

mod equality;

mod rank_zero;

pub(crate) mod dynamic;

pub(crate) mod einsum;
pub(crate) mod rearrange;

mod any_tensor;
mod arrays;
pub mod broadcast_warning;
mod collect;
pub(crate) mod display;
pub(crate) mod operand;
pub mod other_names;
pub(crate) mod recording;
pub(crate) mod typed_view;

pub use any_tensor::{AnyTensor, AssignError, StateTensor};
pub use arrays::{ArrayLength, HasLength, HasSizes, IsLength, SecondPart};
pub use axis_iter::{AxisChunks, AxisIter};
#[cfg(feature = "rand")]
pub(crate) use construct::new_len;
pub use dynamic::{IntoTensor, IntoTensorError};
pub use equality::{
    ArgumentOfEq, ArgumentOfGe, ArgumentOfGt, ArgumentOfLe, ArgumentOfLt, ArgumentOfNe, EqualTo,
    OrderedWith,
};
pub use index::{ElementIndex, OneElement};
pub use indexing::{IndexTensor, TakeIndices};
pub use operand::Operand;
pub use operations::{select, zip_with, zip_with3, zip_with4};
pub use ranges::{HoldsRange, SquareShape};
pub use splitting::{PartTensors, SplitTensors};
pub(crate) use tensor_array::array::dynamic::DynTensor;
pub(crate) use tensor_array::array::dynamic::length_error::LengthError;
