//! Arrays of `ndarray`, in any memory order, from and to tensors.

use ndarray::{Array, ArrayD, ArrayView, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};
use tensor_array::interop::ndarray::view;
use tensor_kernels::element::Element;

use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::tensor::{DynTensor, IntoTensor, IntoTensorError, Tensor};

/// `[..s]`, if the array has this shape. Without a copy; the error returns the elements.
impl<S: Shape, T: Element, D: Dimension> TryFrom<Array<T, D>> for Tensor<S, T> {
    type Error = IntoTensorError<T>;

    fn try_from(array: Array<T, D>) -> Result<Self, Self::Error> {
        DynTensor::from(array).into_tensor()
    }
}

/// `[..s]`, with the rank of the shape; without a copy if the tensor was made from a `Vec`, is
/// contiguous and has no other owner.
///
/// # Panics
///
/// As that of a [`DynTensor`].
impl<S: NdarrayShape<Dimension = D>, T: Element, D: Dimension> From<Tensor<S, T>> for Array<T, D> {
    #[track_caller]
    fn from(tensor: Tensor<S, T>) -> Self {
        with_rank(ArrayD::from(DynTensor::from(tensor)).into_dimensionality())
    }
}

/// A shape of static rank, which is a type in `ndarray`: `[m, n]` has `Ix2`. Above six
/// axes, that is `IxDyn`.
///
/// ```
/// use ndarray::ArrayView;
/// use tensor_core::{Tensor, interop::NdarrayShape, tensor};
///
/// fn view<S: NdarrayShape>(x: &Tensor<S>) -> ArrayView<'_, f32, S::Dimension> {
///     x.as_ndarray()
/// }
///
/// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
/// assert_eq!(view(&x), ndarray::array![[1.0, 2.0], [3.0, 4.0]]);
/// ```
pub trait NdarrayShape: Shape {
    /// The number of axes.
    type Dimension: Dimension;
}

/// Generates the rank of a shape.
macro_rules! dimensions {
    ($($shape:ty, $($A:ident)* => $Dimension:ident;)+) => {$(
        impl<$($A: Axis),*> NdarrayShape for $shape {
            type Dimension = $Dimension;
        }
    )+};
}

dimensions! {
    (), => Ix0;
    ((), A), A => Ix1;
    (((), A), B), A B => Ix2;
    ((((), A), B), C), A B C => Ix3;
    (((((), A), B), C), D), A B C D => Ix4;
    ((((((), A), B), C), D), E), A B C D E => Ix5;
    (((((((), A), B), C), D), E), F), A B C D E F => Ix6;
}

/// Seven axes or more.
impl<L, A, B, C, D, E, F, G> NdarrayShape for (((((((L, A), B), C), D), E), F), G)
where
    L: Shape,
    A: Axis,
    B: Axis,
    C: Axis,
    D: Axis,
    E: Axis,
    F: Axis,
    G: Axis,
{
    type Dimension = IxDyn;
}

/// The array with the rank of its shape.
fn with_rank<A>(array: Result<A, ndarray::ShapeError>) -> A {
    match array {
        Ok(array) => array,
        Err(error) => unreachable!("the type is that of the shape: {error}"),
    }
}

/// # Other crates
#[tensor_array_macros::method_docs]
impl<S: NdarrayShape, T: Element> Tensor<S, T> {
    /// The elements as an `ndarray` view, `[..s]`. Without a copy, whatever the strides.
    /// Panics: If the sizes other than 0 multiply to more than `isize::MAX`, which only those of an empty tensor
    /// do.
    /// ```
    /// use ndarray::{ArrayView2, array};
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1, 2], [3, 4]].transpose();
    /// let view: ArrayView2<i32> = x.as_ndarray();
    /// assert_eq!(view, array![[1, 3], [2, 4]]);
    /// ```
    pub fn as_ndarray(&self) -> ArrayView<'_, T, S::Dimension> {
        with_rank(view(&self.sizes(), self.strided()).into_dimensionality())
    }
}
