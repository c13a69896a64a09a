//! Operands of operations: tensors, and scalars, which have rank 0.

use crate::element::Element;
use crate::shape::Shape;
use crate::shape::axis::NoAxis;
use crate::shape::broadcast::After;
use crate::tensor::Tensor;
use crate::tensor::typed_view::View;

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
    label = "expected a `{T}`, or a tensor of them such as `&x`",
    note = "there is no silent promotion: convert a tensor with `x.cast::<{T}>()`, a number with `as {T}`; in generic code a number is `T::from_f64(0.5)` [T502]"
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

/// The bound of methods: an [`Operand`]. [`bounds`](crate::bounds) explains why there are two traits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand with elements of type `{T}`",
    label = "expected a `{T}`, or a tensor of them such as `&x`",
    note = "there is no silent promotion: convert a tensor with `x.cast::<{T}>()`, a number with `as {T}`; in generic code, add the bound `{Self}: Operand<{T}>` [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OperandOf<T: Element> {
    /// The shape; `()` for a scalar.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn as_view(&self) -> View<'_, Self::Shape, T>;
}

impl<X: Operand<T>, T: Element> OperandOf<T> for X {
    type Shape = <X as Operand<T>>::Shape;

    fn as_view(&self) -> View<'_, Self::Shape, T> {
        Operand::as_view(self)
    }
}

/// The element type of the result of `T` and the operand `R`: `T`, resolved once `R` is an operand with
/// elements `T`, so that a rejected operand causes no second error.
pub type ElementWith<R, T> = After<<R as OperandOf<T>>::Shape, T>;

/// Two operands with the same element type: there is no silent promotion.
///
/// `Self` is the type of the left side, as a one-element tuple, so that the compiler infers either type from
/// the other.
#[diagnostic::on_unimplemented(
    message = "cannot combine elements of type `{T}` with elements of type `{U}`",
    label = "elements of type `{U}`, where the left side has `{T}`",
    note = "there is no silent promotion: convert a tensor with `x.cast::<f32>()`, a number with `as f32`; in generic code write `x.cast::<T>()` and `T::from_f64(0.5)` [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameElement<T, U> {
    /// `T`, resolved once the types are the same, so that a rejected operation causes no second error:
    /// see [`After`](crate::broadcast::After).
    #[doc(hidden)]
    type Same;

    /// The scalar itself, as type `T`.
    #[doc(hidden)]
    fn same_scalar(other: U) -> T;

    /// The tensor itself, for reading.
    #[doc(hidden)]
    fn same_view<S: Shape>(other: View<'_, S, U>) -> View<'_, S, T>
    where
        T: Element,
        U: Element;

    /// The tensor itself.
    #[doc(hidden)]
    fn same_tensor<S: Shape>(other: Tensor<S, U>) -> Tensor<S, T>
    where
        T: Element,
        U: Element;
}

#[diagnostic::do_not_recommend]
impl<T: Element> SameElement<T, T> for (T,) {
    type Same = T;

    #[inline(always)]
    fn same_scalar(other: T) -> T {
        other
    }

    #[inline(always)]
    fn same_view<S: Shape>(other: View<'_, S, T>) -> View<'_, S, T> {
        other
    }

    #[inline(always)]
    fn same_tensor<S: Shape>(other: Tensor<S, T>) -> Tensor<S, T> {
        other
    }
}

/// An uninhabited type of this crate that is no element type, as [`NoAxis`](crate::bounds::NoAxis) is no axis: the
/// compiler knows that no other crate makes it one.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct NoElement<X>(pub X, pub NoAxis);

/// A second impl, so that the compiler does not explain the first one: see
/// [`NoAxis`](crate::bounds::NoAxis). As `NoElement` is not an element type, the compiler still infers the
/// elements of `Tensor::zeros()` from the first.
#[diagnostic::do_not_recommend]
impl<T: Element, X> SameElement<T, NoElement<X>> for (T,)
where
    NoElement<X>: Element,
{
    type Same = T;

    fn same_scalar(NoElement(_, never): NoElement<X>) -> T {
        match never {}
    }

    fn same_view<S: Shape>(_: View<'_, S, NoElement<X>>) -> View<'_, S, T> {
        unreachable!("`NoElement` is not a type of elements")
    }

    fn same_tensor<S: Shape>(_: Tensor<S, NoElement<X>>) -> Tensor<S, T> {
        unreachable!("`NoElement` is not a type of elements")
    }
}
