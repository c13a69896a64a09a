//! Constructors of sequences: `eye`, `arange`, `linspace`.

use super::construct::new_len;
use crate::shape::arithmetic::SubSizes;
use crate::shape::axis::Axis;
use crate::shape::axis_index::HasRank;
use crate::shape::{Shape, StaticShape};
use crate::tensor::Tensor;
use tensor_array::array::dynamic::ranges::{arange, linspace};
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Float, Number};
use tensor_kernels::storage::Storage;

/// A shape of two equal axes: `[n, n]`.
///
/// ```
/// use tensor_core::{StaticShape, Tensor, bounds::SquareShape, shape, tensor};
///
/// fn identity<S: StaticShape + SquareShape>() -> Tensor<S> {
///     Tensor::eye()
/// }
///
/// assert_eq!(identity::<shape![2, 2]>(), tensor![[1.0, 0.0], [0.0, 1.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "shape `{Self}` is not square",
    label = "expected two equal axes, such as `shape![3, 3]`",
    note = "an identity matrix is square [T603]"
)]
pub trait SquareShape: Shape {}

/// `[n, n]`
#[diagnostic::do_not_recommend]
impl<A: Axis> SquareShape for (((), A), A) {}

/// An element type that can represent the numbers from 0 up to the size of the one axis of `S`, as
/// [`Tensor::arange`] counts them.
///
/// ```
/// use tensor_core::{HasRank, StaticShape, Tensor, bounds::HoldsRange, element::Number, shape, tensor};
///
/// fn positions<S: StaticShape + HasRank<1>, T: Number + HoldsRange<S>>() -> Tensor<S, T> {
///     Tensor::arange()
/// }
///
/// assert_eq!(positions::<shape![3], u8>(), tensor![0, 1, 2]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold the numbers of a range of shape `{S}`",
    label = "the last number is the size less 1",
    note = "`u8` holds 0 to 255, `i8` to 127, `u16` to 65,535 and `i16` to 32,767: take a type of more bits, or `arange_from`, which wraps around; in generic code, add the bound `{Self}: HoldsRange<{S}>` [T604]"
)]
pub trait HoldsRange<S> {}

macro_rules! holds_every_range {
    ($($T:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> HoldsRange<S> for $T {
        }
    )*};
}

// `Number` rejects `bool`, so it is accepted here.
holds_every_range!(f32 f64 i32 i64 u32 u64 bool);

#[cfg(feature = "half")]
holds_every_range!(half::f16 half::bf16);

/// Implements the bound for `$T`: the size must not exceed the number of values of `$T` from 0 on.
macro_rules! holds_ranges_up_to {
    ($($T:ty: $count:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L, A> HoldsRange<(L, A)> for $T
        where
            tensor_macros::dim!($count): SubSizes<A>,
        {
        }
    )*};
}

holds_ranges_up_to! {
    i8: 128;
    u8: 256;
    i16: 32_768;
    u16: 65_536;
}

/// # Ranges and identity matrices
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_eye!()]
    /// ```
    /// assert_eq!(Tensor::<shape![2, 2]>::eye(), tensor![[1.0, 0.0], [0.0, 1.0]]);
    /// ```
    #[doc(alias = "identity")]
    #[usage(Tensor::<shape![3, 3]>::eye())]
    pub fn eye() -> Self
    where
        S: StaticShape<Checked: Sized> + SquareShape,
    {
        Self::eye_shaped(S::VALUE)
    }

    /// [`eye`](Tensor::eye) for a run-time size: `[n, n]`.
    /// Panics: If the two axes have different sizes, or if the elements exceed `isize::MAX` bytes.
    /// ```
    /// axis!(State);
    /// let x = Tensor::<_, i32>::eye_shaped(shape![State(2), State(2)]);
    /// assert_eq!(x.to_vec(), [1, 0, 0, 1]);
    /// ```
    pub fn eye_shaped(shape: S) -> Self
    where
        S: SquareShape,
    {
        let mut sizes = [0; 2];
        shape.write_sizes(&mut sizes);
        let [rows, columns] = sizes;
        assert!(
            rows == columns,
            "an identity matrix is square, not of {rows} rows and {columns} columns"
        );
        let len = new_len::<S, T>(shape);
        let mut elements = Storage::zeros(len);
        // The stride of the diagonal is one row plus one column.
        for element in elements.make_mut()[..len].iter_mut().step_by(columns + 1) {
            *element = T::ONE;
        }
        Self::from_storage(shape, elements)
    }

    #[doc = doc_arange!()]
    /// An element type that cannot represent them does not compile.
    /// ```
    /// assert_eq!(Tensor::<shape![4], i64>::arange(), tensor![0, 1, 2, 3]);
    /// ```
    #[doc(alias = "range")]
    #[usage(Tensor::<shape![10]>::arange())]
    pub fn arange() -> Self
    where
        S: StaticShape<Checked: Sized> + HasRank<1>,
        T: Number + HoldsRange<S>,
    {
        Self::arange_shaped(S::VALUE)
    }

    /// [`arange`](Tensor::arange) for a run-time size: `[n]`. Integers wrap around.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// axis!(Batch);
    /// let x: Tensor<shape![Batch], i64> = Tensor::arange_shaped(shape![Batch(3)]);
    /// assert_eq!(x.to_vec(), [0, 1, 2]);
    /// ```
    pub fn arange_shaped(shape: S) -> Self
    where
        S: HasRank<1>,
        T: Number,
    {
        Self::arange_from_shaped(shape, T::ZERO, T::ONE)
    }

    #[doc = doc_arange_from!()]
    /// ```
    /// assert_eq!(Tensor::<shape![4], i32>::arange_from(5, -2), tensor![5, 3, 1, -1]);
    /// ```
    #[usage(Tensor::<shape![10]>::arange_from(0.0, 0.5))]
    pub fn arange_from(start: T, step: T) -> Self
    where
        S: StaticShape<Checked: Sized> + HasRank<1>,
        T: Number,
    {
        Self::arange_from_shaped(S::VALUE, start, step)
    }

    /// [`arange_from`](Tensor::arange_from) for a run-time size: `[n]`.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// axis!(Batch);
    /// let x = Tensor::arange_from_shaped(shape![Batch(3)], 0.5, 0.25);
    /// assert_eq!(x.to_vec(), [0.5, 0.75, 1.0]);
    /// ```
    pub fn arange_from_shaped(shape: S, start: T, step: T) -> Self
    where
        S: HasRank<1>,
        T: Number,
    {
        Self::from_storage(shape, arange(new_len::<S, T>(shape), start, step))
    }

    #[doc = doc_linspace!()]
    /// ```
    /// assert_eq!(Tensor::<shape![5]>::linspace(0.0, 1.0), tensor![0.0, 0.25, 0.5, 0.75, 1.0]);
    /// ```
    #[usage(Tensor::<shape![10]>::linspace(0.0, 1.0))]
    pub fn linspace(start: T, end: T) -> Self
    where
        S: StaticShape<Checked: Sized> + HasRank<1>,
        T: Float,
    {
        Self::linspace_shaped(S::VALUE, start, end)
    }

    /// [`linspace`](Tensor::linspace) for a run-time size: `[n]`.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// axis!(Time);
    /// assert_eq!(Tensor::linspace_shaped(shape![Time(3)], -1.0, 1.0).to_vec(), [-1.0, 0.0, 1.0]);
    /// ```
    pub fn linspace_shaped(shape: S, start: T, end: T) -> Self
    where
        S: HasRank<1>,
        T: Float,
    {
        Self::from_storage(shape, linspace(new_len::<S, T>(shape), start, end))
    }
}
