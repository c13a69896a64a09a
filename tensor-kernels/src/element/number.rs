//! Arithmetic on one element.

use super::Element;
use crate::ops::elements::for_each_element;
use crate::ops::products::{DotSlices, MatmulKernels};
use crate::ops::reductions::{BoolReductions, NumberReductions};
use crate::ops::windows::NumberWindows;
use crate::ops::{
    BitsBinary, BitsUnary, IntegerBinary, NumberBinary, NumberTernary, NumberUnary, SignedUnary,
};

/// A number: every element type but `bool`.
///
/// Integers wrap around on overflow, in debug builds as in release builds. Dividing an integer by
/// zero panics.
///
/// ```
/// use tensor_core::{Tensor, element::Number, shape, tensor};
///
/// fn sum_of_squares<T: Number>(x: &Tensor<shape![2], T>) -> T {
///     (x * x).sum().item()
/// }
///
/// assert_eq!(sum_of_squares(&tensor![3, 4]), 25);
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` are not numbers",
    label = "this needs numbers: a `bool` tensor becomes numbers with `.cast::<f32>()`; in generic code, the bound is `Number` [T503]"
)]
pub trait Number:
    Element
    + NumberUnary
    + NumberBinary
    + NumberTernary
    + NumberReductions
    + MatmulKernels
    + DotSlices
    + NumberWindows
{
    /// The type in which sums are accumulated: the type itself, `f32` for the 16-bit floats.
    type Sum: Number;

    /// The name of the type, if it is an integer: then a division by zero panics.
    #[doc(hidden)]
    const INTEGER: Option<&'static str> = None;

    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self - other`.
    fn sub(self, other: Self) -> Self;
    /// `self * other`.
    fn mul(self, other: Self) -> Self;
    /// `self / other`; integers round toward zero.
    fn div(self, other: Self) -> Self;
    /// The remainder of `self / other` rounded toward zero: it has the sign of `self`, as Rust's
    /// `%` and NumPy's `fmod`.
    fn rem(self, other: Self) -> Self;
    /// `self / other` rounded toward minus infinity, as NumPy's `floor_divide`.
    fn floor_divide(self, other: Self) -> Self;
    /// The remainder of [`floor_divide`](Number::floor_divide): it has the sign of `other`, as
    /// NumPy's and PyTorch's `remainder`.
    fn remainder(self, other: Self) -> Self;
    /// The smaller one; NaN if either is NaN.
    fn minimum(self, other: Self) -> Self;
    /// The larger one; NaN if either is NaN.
    fn maximum(self, other: Self) -> Self;
    /// The magnitude of `self`.
    fn abs(self) -> Self;
    /// -1, 0 or 1; NaN for NaN.
    fn sign(self) -> Self;
    /// `self` raised to an integer power; floats within 2 ulp, with the special values of C's `pow`.
    /// Integers: 1 / `self` rounded toward zero for -1 and below.
    fn powi(self, power: i32) -> Self;
    /// Whether this is NaN; `false` for integers.
    fn is_nan(self) -> bool;
    /// Whether this is neither NaN nor infinite; `true` for integers.
    fn is_finite(self) -> bool;
    /// The nearest number of this type; integers round toward zero and stay within their range.
    fn from_f64(value: f64) -> Self;
    /// The nearest `f64`.
    fn to_f64(self) -> f64;
    /// Converts the number to the type of its sums.
    fn widen(self) -> Self::Sum;
    /// Rounds a sum to this type.
    fn narrow(sum: Self::Sum) -> Self;
}

/// A number that can be negative.
///
/// ```
/// use tensor_core::{Tensor, element::Signed, shape, tensor};
///
/// fn mirrored<T: Signed>(x: &Tensor<shape![2], T>) -> Tensor<shape![2], T> {
///     -x
/// }
///
/// assert_eq!(mirrored(&tensor![1, -2]), tensor![-1, 2]);
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` have no sign",
    label = "this needs signed numbers",
    note = "convert with `.cast::<i64>()` or `.cast::<f32>()` first [T503]"
)]
pub trait Signed: Number + SignedUnary {
    /// `-self`; the smallest integer of a type is its own negation.
    fn neg(self) -> Self;
}

/// An element with `&`, `|`, `^` and `!`: bitwise for integers, logical for `bool`.
///
/// ```
/// use tensor_core::{Tensor, element::Bits, shape, tensor};
///
/// fn both<T: Bits>(x: &Tensor<shape![2], T>, y: &Tensor<shape![2], T>) -> Tensor<shape![2], T> {
///     x & y
/// }
///
/// assert_eq!(both(&tensor![6, 3], &tensor![3, 1]), tensor![2, 1]);
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` have no `&`, `|`, `^` and `!`",
    label = "this needs integers or `bool`",
    note = "comparisons such as `x.greater(0.0)` give `bool` tensors [T503]"
)]
pub trait Bits: Element + BitsUnary + BitsBinary {
    /// `self & other`.
    fn and(self, other: Self) -> Self;
    /// `self | other`.
    fn or(self, other: Self) -> Self;
    /// `self ^ other`.
    fn xor(self, other: Self) -> Self;
    /// `!self`.
    fn not(self) -> Self;
}

/// An integer.
///
/// ```
/// use tensor_core::{Tensor, element::Integer, shape, tensor};
///
/// fn halved<T: Integer>(x: &Tensor<shape![2], T>) -> Tensor<shape![2], T> {
///     x >> T::ONE
/// }
///
/// assert_eq!(halved(&tensor![6, -4]), tensor![3, -2]);
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` are not integers",
    label = "this needs integers",
    note = "convert with `.cast::<i64>()` first; in generic code, add the bound `{Self}: Integer` [T503]"
)]
pub trait Integer: Number + Bits + IntegerBinary {
    /// The exact value.
    #[doc(hidden)]
    fn to_i128(self) -> i128;
    /// The integer of the lowest bits, as `cast` converts.
    #[doc(hidden)]
    fn from_bits(bits: u64) -> Self;
    /// `self` shifted left; 0 when `by` is negative or at least the number of bits.
    fn shift_left(self, by: Self) -> Self;
    /// `self` shifted right, keeping its sign; when `by` is negative or at least the number of
    /// bits, 0 or -1, depending on the sign.
    fn shift_right(self, by: Self) -> Self;
}

macro_rules! integers {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $( integers!(@$class $T); )*
    };
    (@signed $T:ident) => {
        integers!(@impl $T: |x| sign x.signum(), abs x.wrapping_abs());
    };
    (@unsigned $T:ident) => {
        integers!(@impl $T: |x| sign x.min(1), abs x);
    };
    (@$other:ident $T:ident) => {};
    (@impl $T:ident: |$x:ident| sign $sign:expr, abs $abs:expr) => {
        #[diagnostic::do_not_recommend]
        impl Number for $T {
            type Sum = Self;

            const INTEGER: Option<&'static str> = Some(stringify!($T));

            #[inline]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline]
            fn div(self, other: Self) -> Self {
                self.wrapping_div(other)
            }
            #[inline]
            fn rem(self, other: Self) -> Self {
                self.wrapping_rem(other)
            }
            fn floor_divide(self, other: Self) -> Self {
                let quotient = self.wrapping_div(other);
                let rest = self.wrapping_rem(other);
                let rounds_up = rest != 0 && (rest ^ other) < Self::ZERO;
                if rounds_up { quotient.wrapping_sub(1) } else { quotient }
            }
            fn remainder(self, other: Self) -> Self {
                let rest = self.wrapping_rem(other);
                let rounds_up = rest != 0 && (rest ^ other) < Self::ZERO;
                if rounds_up { rest.wrapping_add(other) } else { rest }
            }
            #[inline]
            fn minimum(self, other: Self) -> Self {
                Ord::min(self, other)
            }
            #[inline]
            fn maximum(self, other: Self) -> Self {
                Ord::max(self, other)
            }
            #[inline]
            fn abs(self) -> Self {
                let $x = self;
                $abs
            }
            #[inline]
            fn sign(self) -> Self {
                let $x = self;
                $sign
            }
            fn powi(self, power: i32) -> Self {
                match u32::try_from(power) {
                    Ok(power) => self.wrapping_pow(power),
                    Err(_) if self == 1 => 1,
                    Err(_) if self == Self::ZERO.wrapping_sub(1) && Self::MIN != 0 => {
                        self.wrapping_pow(power.unsigned_abs())
                    }
                    Err(_) => Self::ONE.wrapping_div(self),
                }
            }
            #[inline]
            fn is_nan(self) -> bool {
                false
            }
            #[inline]
            fn is_finite(self) -> bool {
                true
            }
            #[inline]
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline]
            fn widen(self) -> Self {
                self
            }
            #[inline]
            fn narrow(sum: Self) -> Self {
                sum
            }
        }

        #[diagnostic::do_not_recommend]
        impl Integer for $T {
            #[inline]
            fn to_i128(self) -> i128 {
                self.into()
            }
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
            #[inline]
            fn shift_left(self, by: Self) -> Self {
                let by = u32::try_from(by).unwrap_or(u32::MAX);
                self.checked_shl(by).unwrap_or(0)
            }
            #[inline]
            fn shift_right(self, by: Self) -> Self {
                let by = u32::try_from(by).unwrap_or(u32::MAX);
                self >> by.min(Self::BITS - 1) >> u32::from(by >= Self::BITS)
            }
        }
    };
}

for_each_element!(integers);

macro_rules! bits {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $( bits!(@$class $T); )*
    };
    (@float $T:ident) => {};
    (@half $T:ident) => {};
    (@$integer_or_bool:ident $T:ident) => {
        #[diagnostic::do_not_recommend]
        impl Bits for $T {
            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline]
            fn not(self) -> Self {
                !self
            }
        }
    };
}

for_each_element!(bits);

macro_rules! signed_integers {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $( signed_integers!(@$class $T); )*
    };
    (@signed $T:ident) => {
        #[diagnostic::do_not_recommend]
        impl Signed for $T {
            #[inline]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
        }
    };
    (@$other:ident $T:ident) => {};
}

for_each_element!(signed_integers);

/// Elements that are `true` or `false`: `bool`.
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` are not `bool`",
    label = "`all` and `any` take `bool` elements",
    note = "compare first, as in `x.greater(0.0).all()`; `.cast::<bool>()` makes `true` of every number but 0 [T503]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait BoolElement: Element + BoolReductions {
    /// The element itself.
    #[doc(hidden)]
    fn is_true(self) -> bool;
}

#[diagnostic::do_not_recommend]
impl BoolElement for bool {
    #[inline(always)]
    fn is_true(self) -> bool {
        self
    }
}
