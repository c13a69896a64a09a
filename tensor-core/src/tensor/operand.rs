//! Operands of operations: tensors, and scalars, which have rank 0.

use core::marker::PhantomData;

use tensor_kernels::element::Element;
use tensor_kernels::element::scalar::OfElements;

use crate::shape::Shape;
use crate::shape::axis::NoAxis;
use crate::shape::broadcast::After;
use crate::tensor::Tensor;
use crate::tensor::typed_view::View;
pub use tensor_kernels::element::scalar::SameElement;

pub(crate) mod closures;
pub(crate) mod floats;
pub(crate) mod selection;

/// A tensor with elements `T`, borrowed or owned, or a scalar `T`, which has rank 0.
///
/// ```
/// use tensor_core::{Operand, Tensor, shape, tensor};
///
/// fn at_least(x: &Tensor<shape![3]>, bound: impl Operand<f32, Shape = ()>) -> Tensor<shape![3]> {
///     x.maximum(bound)
/// }
///
/// assert_eq!(at_least(&tensor![1.0, 2.0, 3.0], 2.0), tensor![2.0, 2.0, 3.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand with elements of type `{T}`",
    label = "expected a `{T}`, or a tensor of them such as `&x`: there is no silent promotion; convert a tensor with `x.cast::<{T}>()`, a number with `as {T}`; in generic code a number is `T::from_f64(0.5)` [T502]"
)]
pub trait Operand<T: Element>: sealed::TensorOrScalar {
    /// The shape; `()` for a scalar.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn as_view(&self) -> View<'_, Self::Shape, T>;
}

/// Seals the traits: operands are the tensors and numbers of this crate, whose memory operations read.
mod sealed {
    use super::{Element, Shape, Tensor};

    pub trait TensorOrScalar {}

    impl<T: Element> TensorOrScalar for T {}

    impl<S: Shape, T: Element> TensorOrScalar for Tensor<S, T> {}

    impl<S: Shape, T: Element> TensorOrScalar for &Tensor<S, T> {}

    impl<S: Shape, T: Element> TensorOrScalar for &mut Tensor<S, T> {}

    impl<S: Shape, T: Element> TensorOrScalar for &&Tensor<S, T> {}
}

impl<T: Element> Operand<T> for T {
    type Shape = ();

    fn as_view(&self) -> View<'_, (), T> {
        View::scalar(self)
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for Tensor<S, T> {
    type Shape = S;

    fn as_view(&self) -> View<'_, S, T> {
        Tensor::as_view(self)
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for &Tensor<S, T> {
    type Shape = S;

    fn as_view(&self) -> View<'_, S, T> {
        Tensor::as_view(self)
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for &mut Tensor<S, T> {
    type Shape = S;

    fn as_view(&self) -> View<'_, S, T> {
        Tensor::as_view(self)
    }
}

/// A reference to a reference, as closures and iterators yield it.
#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for &&Tensor<S, T> {
    type Shape = S;

    fn as_view(&self) -> View<'_, S, T> {
        Tensor::as_view(self)
    }
}

/// The element type of the result of `T` and the operand `R`: `T`, resolved once `R` is an operand with
/// elements `T`, so that a rejected operand causes no second error.
pub type ElementWith<R, T> = After<<R as Operand<T>>::Shape, T>;

/// An uninhabited type of this crate that is not an element type, as [`NoAxis`](crate::bounds::NoAxis) is not an
/// axis: no other crate can implement the trait for it.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct NoElement<X>(pub X, pub NoAxis);

/// The tensors of a shape, by their element type.
struct TensorsOf<S>(PhantomData<S>);

impl<S: Shape> OfElements for TensorsOf<S> {
    type Of<T: Element> = Tensor<S, T>;
}

/// The views of a shape, by their element type.
struct ViewsOf<'a, S>(PhantomData<&'a S>);

impl<'a, S: Shape> OfElements for ViewsOf<'a, S> {
    type Of<T: Element> = View<'a, S, T>;
}

/// The tensor itself.
#[inline(always)]
pub(crate) fn same_tensor<T: Element, U: Element, S: Shape>(other: Tensor<S, U>) -> Tensor<S, T>
where
    (T,): SameElement<T, U>,
{
    <(T,)>::same::<TensorsOf<S>>(other)
}

/// The tensor itself, for reading.
#[inline(always)]
pub(crate) fn same_view<T: Element, U: Element, S: Shape>(other: View<'_, S, U>) -> View<'_, S, T>
where
    (T,): SameElement<T, U>,
{
    <(T,)>::same::<ViewsOf<'_, S>>(other)
}
