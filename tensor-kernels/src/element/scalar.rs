//! Operands of an operator with a tensor, and whether their elements have the same type.

use core::convert::Infallible;

use super::Element;

/// A number or `bool`: also types that are no elements, so that the error for `&x / x.len()` is that its
/// types differ.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a tensor nor a number",
    label = "expected a tensor such as `&x`, or a number",
    note = "operators take tensors, owned or borrowed, and numbers of their element type: `tensor![1.0, 2.0]`, of a `Vec` `Tensor::from_vec(elements)?`; unwrap a `Result` with `?` or `.unwrap()` [T501]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Scalar {}

impl<T: Element> Scalar for T {}

macro_rules! scalars {
    ($($N:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Scalar for $N {}
    )*};
}

scalars!(usize isize u128 i128 &f32 &f64 &i32 &i64 &usize);

/// Types by their element type, such as the tensors of a shape.
#[cfg_attr(doc, doc(hidden))]
pub trait OfElements {
    /// The type whose elements are of type `T`.
    type Of<T: Element>;
}

/// Two operands with the same element type: there is no silent promotion.
///
/// `Self` is the type of the left side, as a one-element tuple, so that the compiler infers either type from
/// the other.
#[diagnostic::on_unimplemented(
    message = "cannot combine elements of type `{T}` with elements of type `{U}`",
    label = "elements of type `{U}`, where the left side has `{T}`: there is no silent promotion; convert a tensor with `x.cast::<f32>()`, a number with `as f32`; in generic code write `x.cast::<T>()` and `T::from_f64(0.5)` [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameElement<T, U> {
    /// `T`, resolved once the types are the same, so that a rejected operation causes no second error:
    /// see `After` of `tensor-core`.
    #[doc(hidden)]
    type Same;

    /// The scalar itself, as type `T`.
    #[doc(hidden)]
    fn same_scalar(other: U) -> T;

    /// The tensor itself.
    #[doc(hidden)]
    fn same<F: OfElements>(other: F::Of<U>) -> F::Of<T>
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
    fn same<F: OfElements>(other: F::Of<T>) -> F::Of<T> {
        other
    }
}

/// A second impl, so that the compiler does not explain the first one. As a pair is not an element type, the
/// compiler still infers the elements of `Tensor::zeros()` from the first.
#[diagnostic::do_not_recommend]
impl<T: Element, X> SameElement<T, (X, Infallible)> for (T,)
where
    (X, Infallible): Element,
{
    type Same = T;

    fn same_scalar((_, never): (X, Infallible)) -> T {
        match never {}
    }

    fn same<F: OfElements>(_: F::Of<(X, Infallible)>) -> F::Of<T> {
        unreachable!("a pair is not an element type")
    }
}

/// For right sides that are neither tensors nor numbers, such as a `Result` with a missing `?`: [`Scalar`] has the message
/// for them, and these impls prevent one about elements. They are no right sides, so no operator calls this.
macro_rules! no_scalars {
    ($(<$($of:lifetime)? $($P:ident),*> $(const $N:ident)? $Rhs:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($of,)? T: Element, $($P,)* $(const $N: usize)?> SameElement<T, $Rhs> for (T,)
        where
            $Rhs: Scalar,
        {
            type Same = T;

            fn same_scalar(_: $Rhs) -> T {
                unreachable!("not a number")
            }

            fn same<Types: OfElements>(_: Types::Of<$Rhs>) -> Types::Of<T>
            where
                $Rhs: Element,
            {
                unreachable!("not an element type")
            }
        }
    )*};
}

no_scalars! {
    <X, E> Result<X, E>;
    <X> Option<X>;
    <X> Vec<X>;
    <'a X> &'a Vec<X>;
    <X> const N [X; N];
    <'a X> const N &'a [X; N];
    <'a X> &'a [X];
}
