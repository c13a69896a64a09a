//! Operands of operators: tensors, owned and borrowed, and scalars on the right; scalars on the left.

use tensor_kernels::element::Element;
use tensor_kernels::element::operation::BinaryOp;
use tensor_kernels::element::scalar::Scalar;

use super::dispatch::{
    binary, binary_reuse, scalar_rhs, scalar_rhs_reuse, with_scalar, with_scalar_reuse,
};
use crate::shape::Shape;
use crate::shape::axis::NoAxis;
use crate::shape::broadcast::{BroadcastOf, Broadcasted};
use crate::tensor::Tensor;
use crate::tensor::operand::{NoElement, SameElement, same_tensor, same_view};
use crate::tensor::typed_view::View;

/// The right side of an operator: a tensor, owned or borrowed, or a scalar, which has rank 0.
///
/// An operator has one impl for all of them, so that the compiler selects it for every right side and
/// then reports what does not match. The methods do what differs: the result reuses the memory of an
/// owned operand. The trait has no parameters, so that no other crate can implement it for
/// [`NoAxis`](crate::bounds::NoAxis), for which operators have their own impls.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a tensor nor a number",
    label = "expected a tensor such as `&x`, or a number",
    note = "operators take tensors, owned or borrowed, and numbers of their element type: `tensor![1.0, 2.0]`, of a `Vec` `Tensor::from_vec(elements)?`; unwrap a `Result` with `?` or `.unwrap()` [T501]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OperatorRhs: Sized {
    /// The shape; `()` for a scalar.
    type Shape: Shape;
    /// The element type, or the type of a number that is not an element.
    type Element;

    /// `op(left, self)`
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    #[track_caller]
    fn after_view<Op, L, T>(self, left: View<'_, L, T>) -> Tensor<Broadcasted<L, Self::Shape>, T>
    where
        Op: BinaryOp<T, Output = T>,
        L: Shape + BroadcastOf<L, Self::Shape>,
        T: Element,
        (T,): SameElement<T, Self::Element>;

    /// `op(left, self)`, in the memory of an owned operand that has the shape of the result.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    #[track_caller]
    fn after<Op, L, T>(self, left: Tensor<L, T>) -> Tensor<Broadcasted<L, Self::Shape>, T>
    where
        Op: BinaryOp<T, Output = T>,
        L: Shape + BroadcastOf<L, Self::Shape>,
        T: Element,
        (T,): SameElement<T, Self::Element>;
}

/// A number on the left of an operator, of the same type as the elements `U` of the right side.
#[diagnostic::on_unimplemented(
    message = "cannot combine a number of type `{Self}` with elements of type `{U}`",
    label = "elements of type `{U}`, where the left side is a number of type `{Self}`: there is no silent promotion; give the number the type `{U}`, or convert the tensor with `x.cast::<{Self}>()`; in generic code a number on the left is `Tensor::<(), T>::full(T::from_f64(1.0))` [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ScalarLhs<U: Element>: Element {
    /// `U`, resolved once the types match: a rejected operation causes no second error.
    #[doc(hidden)]
    type Element: Element;

    /// `op(self, right)`
    #[doc(hidden)]
    #[track_caller]
    fn before_view<Op, S>(self, right: View<'_, S, U>) -> Tensor<S, Self::Element>
    where
        Op: BinaryOp<Self, Output = Self>,
        S: Shape;

    /// `op(self, right)`, in the memory of the right side.
    #[doc(hidden)]
    #[track_caller]
    fn before<Op, S>(self, right: Tensor<S, U>) -> Tensor<S, Self::Element>
    where
        Op: BinaryOp<Self, Output = Self>,
        S: Shape;
}

#[diagnostic::do_not_recommend]
impl<T: Element> ScalarLhs<T> for T {
    type Element = T;

    #[inline(always)]
    #[track_caller]
    fn before_view<Op, S>(self, right: View<'_, S, T>) -> Tensor<S, T>
    where
        Op: BinaryOp<T, Output = T>,
        S: Shape,
    {
        with_scalar::<Op, S, T, 0>(right, self)
    }

    #[inline(always)]
    #[track_caller]
    fn before<Op, S>(self, right: Tensor<S, T>) -> Tensor<S, T>
    where
        Op: BinaryOp<T, Output = T>,
        S: Shape,
    {
        with_scalar_reuse::<Op, S, T, 0>(right, self)
    }
}

/// [`ScalarLhs`], with the element type of the result as a parameter.
///
/// No impl fixes the parameter where the types differ, so that the compiler suggests no bound: see
/// [`AxesMatch`](crate::broadcast::AxesMatch).
#[diagnostic::on_unimplemented(
    message = "cannot combine a number of type `{Self}` with elements of type `{U}`",
    label = "elements of type `{U}`, where the left side is a number of type `{Self}`: there is no silent promotion; give the number the type `{U}`, or convert the tensor with `x.cast::<{Self}>()`; in generic code a number on the left is `Tensor::<(), T>::full(T::from_f64(1.0))` [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ScalarWith<U: Element, Output>: ScalarLhs<U> {}

#[diagnostic::do_not_recommend]
impl<T: Element> ScalarWith<T, T> for T {}

/// A second impl, so that the compiler does not explain the first one: see
/// [`NoAxis`](crate::bounds::NoAxis).
#[diagnostic::do_not_recommend]
impl<T: Element, X> ScalarWith<NoElement<X>, NoAxis> for T
where
    NoElement<X>: Element,
    T: ScalarLhs<NoElement<X>>,
{
}

/// Implements [`OperatorRhs`], with the bodies of its methods.
macro_rules! operator_rhs {
    ($(
        impl<$($P:ident: $Bound:ident),+> for $Rhs:ty [$Shape:ty] {
            |$right:ident, $left:ident, $Op:ident, $L:ident, $T:ident| $after_view:expr, $after:expr
        }
    )+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($P: $Bound),+> OperatorRhs for $Rhs {
            type Shape = $Shape;
            type Element = U;

            #[inline(always)]
            #[track_caller]
            fn after_view<$Op, $L, $T>(
                self,
                $left: View<'_, $L, $T>,
            ) -> Tensor<Broadcasted<$L, $Shape>, $T>
            where
                $Op: BinaryOp<$T, Output = $T>,
                $L: Shape + BroadcastOf<$L, $Shape>,
                $T: Element,
                ($T,): SameElement<$T, U>,
            {
                let $right = self;
                $after_view
            }

            #[inline(always)]
            #[track_caller]
            fn after<$Op, $L, $T>(
                self,
                $left: Tensor<$L, $T>,
            ) -> Tensor<Broadcasted<$L, $Shape>, $T>
            where
                $Op: BinaryOp<$T, Output = $T>,
                $L: Shape + BroadcastOf<$L, $Shape>,
                $T: Element,
                ($T,): SameElement<$T, U>,
            {
                let $right = self;
                $after
            }
        }
    )+};
}

operator_rhs! {
    impl<U: Scalar> for U [()] {
        |right, left, Op, L, T|
        scalar_rhs::<Op, L, T>(left, <(T,)>::same_scalar(right)),
        scalar_rhs_reuse::<Op, L, T>(left, <(T,)>::same_scalar(right))
    }

    impl<R: Shape, U: Element> for &Tensor<R, U> [R] {
        |right, left, Op, L, T|
        binary::<Op, L, R, T>(left, same_view::<T, _, _>(right.as_view())),
        binary_reuse::<Op, L, R, T, _, _>(left, same_view::<T, _, _>(right.as_view()))
    }

    impl<R: Shape, U: Element> for &&Tensor<R, U> [R] {
        |right, left, Op, L, T|
        binary::<Op, L, R, T>(left, same_view::<T, _, _>(right.as_view())),
        binary_reuse::<Op, L, R, T, _, _>(left, same_view::<T, _, _>(right.as_view()))
    }

    impl<R: Shape, U: Element> for &mut Tensor<R, U> [R] {
        |right, left, Op, L, T|
        binary::<Op, L, R, T>(left, same_view::<T, _, _>(right.as_view())),
        binary_reuse::<Op, L, R, T, _, _>(left, same_view::<T, _, _>(right.as_view()))
    }

    impl<R: Shape, U: Element> for Tensor<R, U> [R] {
        |right, left, Op, L, T|
        binary_reuse::<Op, L, R, T, _, _>(left, same_tensor::<T, _, _>(right)),
        binary_reuse::<Op, L, R, T, _, _>(left, same_tensor::<T, _, _>(right))
    }
}
