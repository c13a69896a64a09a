//! What stands on the other side of an operation: a tensor, or a scalar, which has rank 0.

use crate::array::layout::View;
use crate::element::Element;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// A tensor of elements `T`, borrowed or owned, or one element, which counts as a tensor of rank 0.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand with elements of type `{T}`",
    label = "expected a `{T}`, or a tensor of them such as `&x`",
    note = "there is no silent promotion: convert one side, for example with `.cast::<{T}>()` [T502]"
)]
pub trait Operand<T: Element> {
    /// The shape; `()` for a scalar.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn view(&self) -> View<'_, Self::Shape, T>;
}

impl<T: Element> Operand<T> for T {
    type Shape = ();

    fn view(&self) -> View<'_, (), T> {
        View { shape: (), layout: None, elements: core::slice::from_ref(self) }
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for Tensor<S, T> {
    type Shape = S;

    fn view(&self) -> View<'_, S, T> {
        Tensor::view(self)
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for &Tensor<S, T> {
    type Shape = S;

    fn view(&self) -> View<'_, S, T> {
        Tensor::view(self)
    }
}

/// What methods ask for: an [`Operand`]. See [`bounds`](crate::bounds) for why these are two.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand with elements of type `{T}`",
    label = "expected a `{T}`, or a tensor of them such as `&x`",
    note = "there is no silent promotion: convert one side, for example with `.cast::<{T}>()`; in generic code, add the bound `{Self}: Operand<{T}>` [T502]"
)]
pub trait OperandOf<T: Element> {
    /// The shape; `()` for a scalar.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn view(&self) -> View<'_, Self::Shape, T>;
}

impl<X: Operand<T>, T: Element> OperandOf<T> for X {
    type Shape = <X as Operand<T>>::Shape;

    fn view(&self) -> View<'_, Self::Shape, T> {
        Operand::view(self)
    }
}

/// Two operands with elements of one type: there is no silent promotion.
#[diagnostic::on_unimplemented(
    message = "cannot combine elements of type `{Self}` with elements of type `{U}`",
    label = "elements of type `{U}`, where the left side has `{Self}`",
    note = "there is no silent promotion: convert one side, for example with `.cast::<{Self}>()` [T502]"
)]
pub trait SameElement<U> {
    /// The tensor itself, to read from.
    #[doc(hidden)]
    fn same_view<S: Shape>(other: View<'_, S, U>) -> View<'_, S, Self>
    where
        Self: Element,
        U: Element;

    /// The tensor itself.
    #[doc(hidden)]
    fn same_tensor<S: Shape>(other: Tensor<S, U>) -> Tensor<S, Self>
    where
        Self: Element,
        U: Element;
}

impl<T: Element> SameElement<T> for T {
    #[inline(always)]
    fn same_view<S: Shape>(other: View<'_, S, T>) -> View<'_, S, T> {
        other
    }

    #[inline(always)]
    fn same_tensor<S: Shape>(other: Tensor<S, T>) -> Tensor<S, T> {
        other
    }
}
