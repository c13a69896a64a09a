//! Checks for overflow and underflow of the arithmetic on sizes.

use typenum::{UInt, UTerm};

/// Whether a number exceeds 999,999,999, the largest size, by its billions.
pub trait Overflow {
    /// [`Billions`] or [`NoBillions`].
    type Billions;
}

/// A number above 999,999,999.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Billions;

/// A number up to 999,999,999.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct NoBillions;

/// `0`
impl Overflow for UTerm {
    type Billions = NoBillions;
}

/// `2 n + d`, which is not 0
impl<N, D> Overflow for UInt<N, D> {
    type Billions = Billions;
}

/// Requires that a sum is a size.
#[diagnostic::on_unimplemented(
    message = "the sum of `{A}` and `{B}` is too large for the size of an axis",
    label = "too large",
    note = "the largest size of an axis is 999,999,999 [T404]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SumFits<A, B> {}

#[diagnostic::do_not_recommend]
impl<A, B> SumFits<A, B> for NoBillions {}

/// Requires that a difference is a size.
///
/// A billion was added before the subtraction, so a difference of at least 0 has a billion.
#[diagnostic::on_unimplemented(
    message = "`{B}` cannot be subtracted from `{A}`: the difference would be negative",
    label = "`{B}` is greater than `{A}`",
    note = "the smallest size of an axis is 0 [T404]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait DifferenceFits<A, B> {
    /// A type that the compiler knows only if the difference is a size: [`After`](crate::shape::broadcast::After) uses it.
    #[doc(hidden)]
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<A, B> DifferenceFits<A, B> for Billions {
    type Matched = A;
}

/// Requires that an axis has at least the number of elements that are chosen.
///
/// A billion was added before the subtraction, so a difference of at least 0 has a billion.
#[diagnostic::on_unimplemented(
    message = "`{K}` elements cannot be chosen of `{A}`",
    label = "an axis of size `{A}` has fewer than `{K}` elements",
    note = "at most all elements along the axis are chosen; of a run-time axis, `topk_shaped` takes the number as a value [T233]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait EnoughElements<A, K> {
    /// A type that the compiler knows only if there are enough: [`After`](crate::shape::broadcast::After) uses it.
    #[doc(hidden)]
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<A, K> EnoughElements<A, K> for Billions {
    type Matched = A;
}

/// Requires that a product is a size.
#[diagnostic::on_unimplemented(
    message = "the product of `{A}` and `{B}` is too large for the size of an axis",
    label = "too large",
    note = "the largest size of an axis is 999,999,999 [T404]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ProductFits<A, B> {}

#[diagnostic::do_not_recommend]
impl<A, B> ProductFits<A, B> for NoBillions {}

/// Requires that a number of elements is a size.
#[diagnostic::on_unimplemented(
    message = "shape `{S}` has more than 999,999,999 elements",
    label = "too many to count",
    note = "the compiler counts elements up to 999,999,999 [T404]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait CountFits<S> {}

#[diagnostic::do_not_recommend]
impl<S> CountFits<S> for NoBillions {}
