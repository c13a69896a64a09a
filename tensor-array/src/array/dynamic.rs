//! [`DynTensor`]: the array without a shape type, which kernels and gradients work on.

use tensor_kernels::array_ref::ArrayRef;
use tensor_kernels::element::Element;
use tensor_kernels::equality::all_pairs;
use tensor_kernels::kernel::row_major::RowMajor;
#[cfg(any(feature = "image", feature = "nalgebra", feature = "files"))]
use tensor_kernels::layout::checked_num_elements;
use tensor_kernels::layout::is_traced;
#[cfg(any(feature = "nalgebra", feature = "ndarray", feature = "npy"))]
use tensor_kernels::layout::layout;
use tensor_kernels::layout::{ErasedView, Layout, Strides, refuse_traced};
use tensor_kernels::plan::{broadcast_strides, row_major_strides};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::Storage;

/// The link to a method of `Tensor`, for documentation that a macro writes.
macro_rules! typed {
    ($name:ident) => {
        concat!(
            "[`Tensor::",
            stringify!($name),
            "`](https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html#method.",
            stringify!($name),
            ")"
        )
    };
}

mod collect;

// rustdoc shows the methods in this order.
mod construct;
pub mod length_error;

pub mod ranges;

mod index;

mod normalization;
mod view;

mod run_time_axes;
pub mod slicing;
mod sum_as;

pub(crate) mod elementwise;
mod operators;

pub(crate) mod reductions;

pub mod einsum;
pub mod rearrange;

mod parts;

/// A tensor whose shape is known only at run time: what a file holds before it becomes a [`Tensor`][Tensor].
///
/// It has the methods of `Tensor`, but takes sizes and axes as values, such as `sum_axis(-1)` for
/// `sum_axis::<-1>()`, where negative axes and indices count from the end, and returns a `Result` where the
/// other does not compile. It has none that end in `_shaped`, as every shape is a value here, and no assignment
/// operators, as those could not return an error: [`zip_assign`](DynTensor::zip_assign) can.
///
/// It follows the same broadcasting rules and uses the same loops; where a `Tensor` does
/// not compile, a `DynTensor` returns an `Err` in PyTorch's words. One checked conversion,
/// [`into_tensor`][IntoTensor], gives it a type.
///
/// ```
/// use tensor_core::{DynTensor, IntoTensor, Tensor, axis, shape};
///
/// axis!(Batch);
/// let read = DynTensor::from_vec(&[2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let typed: Tensor<shape![Batch, 3], f64> = read.into_tensor()?;
/// assert_eq!(typed.shape(), shape![Batch(2), 3]);
///
/// let (a, b) = (DynTensor::from_vec(&[2], vec![1, 2])?, DynTensor::from_vec(&[3], vec![1, 2, 3])?);
/// assert_eq!(
///     (&a + &b).unwrap_err().to_string(),
///     "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [Tensor]: https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html
/// [IntoTensor]: https://docs.rs/tensor-core/latest/tensor_core/trait.IntoTensor.html
#[diagnostic::on_move(
    label = "to use this tensor again, write `&` in front of it where it is moved"
)]
#[tensor_array_macros::bounds_without_source]
pub struct DynTensor<T = f32>
where
    T: Element,
{
    pub(crate) sizes: Sizes,
    pub(crate) layout: Layout,
    pub(crate) storage: Storage<T>,
}

impl<T: Element> Clone for DynTensor<T> {
    /// Sizes are copied as a slice: `SmallVec::clone` goes element by element.
    #[inline]
    fn clone(&self) -> Self {
        Self {
            sizes: Sizes::from_slice(&self.sizes),
            layout: self.layout.clone(),
            storage: self.storage.clone(),
        }
    }
}

impl<T: Element> DynTensor<T> {
    pub(crate) fn from_storage(sizes: Sizes, storage: Storage<T>) -> Self {
        Self { sizes, layout: Layout::ROW_MAJOR, storage }
    }

    /// The tensor of `elements` in row-major order, `[..s]`; their number is the product of the sizes.
    #[cfg(any(feature = "image", feature = "nalgebra", feature = "files"))]
    #[doc(hidden)]
    pub fn from_row_major(sizes: &[usize], elements: Vec<T>) -> Self {
        assert_eq!(checked_num_elements(sizes), Some(elements.len()), "sizes {sizes:?}");
        Self::from_storage(sizes.into(), Storage::from_vec(elements))
    }

    /// The tensor of `elements` in column-major order, `[..s]`; their number is the product of the
    /// sizes.
    #[cfg(any(feature = "nalgebra", feature = "npy"))]
    pub(crate) fn from_column_major(sizes: &[usize], elements: Vec<T>) -> Self {
        let tensor = Self::from_row_major(sizes, elements);
        let reversed: Sizes = sizes.iter().rev().copied().collect();
        let strides = row_major_strides(&reversed).into_iter().rev().collect();
        Self { layout: layout(sizes, 0, strides), ..tensor }
    }

    /// The tensor of elements with these strides, `[..s]`, whose first element is at the offset.
    #[cfg(feature = "ndarray")]
    pub(crate) fn from_strided(
        sizes: &[usize],
        offset: usize,
        strides: Strides,
        elements: Vec<T>,
    ) -> Self {
        let storage = Storage::from_vec(elements);
        Self { sizes: sizes.into(), layout: layout(sizes, offset, strides), storage }
    }

    /// The offset of the element of index `[0, 0, …]`, the strides, and the elements of the storage.
    #[cfg(any(feature = "nalgebra", feature = "ndarray"))]
    #[track_caller]
    pub(crate) fn strided(&self) -> (usize, Strides, &[T]) {
        (self.offset(), self.strides(), self.stored())
    }

    /// Whether this is an array of a program that is being traced, which has no elements.
    #[doc(hidden)]
    pub fn is_traced(&self) -> bool {
        is_traced(self.layout.as_deref())
    }

    pub(crate) fn offset(&self) -> usize {
        self.layout.as_deref().map_or(0, |layout| layout.offset)
    }

    pub(crate) fn strides(&self) -> Strides {
        match self.layout.as_deref() {
            Some(layout) => Strides::from_slice(&layout.strides),
            None => row_major_strides(&self.sizes),
        }
    }

    pub(crate) fn broadcast_strides_to(&self, rank: usize) -> Strides {
        broadcast_strides(&self.sizes, &self.strides(), rank)
    }

    /// All stored elements.
    ///
    /// # Panics
    ///
    /// If the tensor is part of a program that is being traced.
    #[track_caller]
    pub(crate) fn stored(&self) -> &[T] {
        refuse_traced(self.layout.as_deref());
        self.storage.as_slice()
    }

    /// The tensor as a view for kernels.
    pub(crate) fn as_view(&self) -> ErasedView<'_, T> {
        ErasedView::new(&self.sizes, self.layout.as_deref(), self.storage.as_slice())
    }

    /// The elements in row-major order, for kernels.
    #[track_caller]
    pub(crate) fn row_major(&self) -> RowMajor<'_, T> {
        RowMajor::of(self.as_view())
    }

    /// The tensor as an array whose sizes are known elsewhere.
    pub(crate) fn array(&self) -> ArrayRef<'_, T> {
        ArrayRef::new(self.layout.as_deref(), &self.storage)
    }
}

#[expect(clippy::partialeq_ne_impl, reason = "a panic is at the caller's line")]
impl<T: Element> PartialEq for DynTensor<T> {
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.sizes == other.sizes && all_pairs(self.as_view(), other.as_view(), |a, b| a == b)
    }

    #[track_caller]
    fn ne(&self, other: &Self) -> bool {
        !self.eq(other)
    }
}
