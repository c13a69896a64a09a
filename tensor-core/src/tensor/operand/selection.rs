//! Operands of `select`: a mask, and the operands that it chooses from.

use tensor_kernels::element::Element;

use super::Operand;
use crate::shape::Shape;
use crate::tensor::Tensor;
use crate::tensor::typed_view::View;

/// The first operand of `select`: a `bool`, or a tensor of `bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mask: its elements are not `bool`",
    label = "`select` takes the mask first, `select(mask, then, otherwise)`",
    note = "a comparison such as `x.greater(0.0)` gives a mask, `.cast::<bool>()` makes one of numbers [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IsMask {
    /// The shape; `()` for a `bool`.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn mask(&self) -> View<'_, Self::Shape, bool>;
}

/// The impls for a tensor of `bool`, owned and borrowed, and for one `bool`.
macro_rules! masks {
    ($($Tensor:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S: Shape> IsMask for $Tensor {
            type Shape = S;

            #[inline]
            fn mask(&self) -> View<'_, S, bool> {
                Tensor::as_view(self)
            }
        }
    )*};
}

masks!(Tensor<S, bool>, &Tensor<S, bool>, &mut Tensor<S, bool>);

#[diagnostic::do_not_recommend]
impl IsMask for bool {
    type Shape = ();

    #[inline]
    fn mask(&self) -> View<'_, (), bool> {
        Operand::as_view(self)
    }
}

/// The operands that `select` chooses from: `A` and `B` with elements `T`, for a mask of shape `Self`.
/// If the mask is not one, rustc reports no further error about them.
#[cfg_attr(doc, doc(hidden))]
pub trait Choice<A, B, T: Element> {
    /// The shape of `A`.
    type Then: Shape;
    /// The shape of `B`.
    type Otherwise: Shape;

    /// The elements of `A` for reading.
    #[doc(hidden)]
    fn then(operand: &A) -> View<'_, Self::Then, T>;

    /// The elements of `B` for reading.
    #[doc(hidden)]
    fn otherwise(operand: &B) -> View<'_, Self::Otherwise, T>;
}

impl<M: Shape, A: Operand<T>, B: Operand<T>, T: Element> Choice<A, B, T> for M {
    type Then = A::Shape;
    type Otherwise = B::Shape;

    #[inline]
    fn then(operand: &A) -> View<'_, A::Shape, T> {
        operand.as_view()
    }

    #[inline]
    fn otherwise(operand: &B) -> View<'_, B::Shape, T> {
        operand.as_view()
    }
}

/// The bound of `select`: [`Choice`]. [`bounds`](crate::bounds) explains why there are two traits.
#[cfg_attr(doc, doc(hidden))]
pub trait ChoiceOf<A, B, T: Element>: Choice<A, B, T> {}

impl<M: Choice<A, B, T>, A, B, T: Element> ChoiceOf<A, B, T> for M {}
