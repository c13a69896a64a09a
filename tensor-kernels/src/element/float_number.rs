//! Arithmetic on one float.

use super::math::{f32_fns, f64_fns};
use super::{Element, Float, Number, Signed};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

/// `x / y` rounded toward minus infinity, exactly, also where `x / y` itself would round up to a
/// integer; the sign of a zero is that of `x / y`.
fn floor_divide<T: Float>(x: T, y: T) -> T {
    if y == T::ZERO {
        return x.div(y);
    }
    let rest = x.rem(y);
    let quotient = x.sub(rest).div(y);
    let quotient = if rest != T::ZERO && (rest < T::ZERO) != (y < T::ZERO) {
        quotient.sub(T::ONE)
    } else {
        quotient
    };
    if quotient == T::ZERO {
        return T::ZERO.copysign(x.div(y));
    }
    let whole = quotient.floor();
    if quotient.sub(whole) > T::from_f64(0.5) { whole.add(T::ONE) } else { whole }
}

macro_rules! floats {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* floats!(@$class $T $Other); )*
    };
    (@float f32 $S:ident) => { floats!(@float f32 $S f32_fns); };
    (@float f64 $S:ident) => { floats!(@float f64 $S f64_fns); };
    (@float $T:ident $S:ident $functions:ident) => {
        floats! {
            @impl $T sums in $S, $functions: |x| widen x, narrow x, from x as $T, to f64::from(x)
        }
    };
    (@half $T:ident $S:ident) => {
        floats! {
            @impl $T sums in $S, f32_fns: |x| widen x.to_f32(), narrow $T::from_f32(x),
                from $T::from_f32(super::cast::f64_to_odd(x)), to x.to_f64()
        }
    };
    (@$other:ident $T:ident $Other:ident) => {};
    (@impl $T:ident sums in $S:ident, $functions:ident: |$x:ident| widen $widen:expr, narrow $narrow:expr,
        from $from:expr, to $to:expr) => {
        #[diagnostic::do_not_recommend]
        impl Number for $T {
            type Sum = $S;

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                self / other
            }
            fn rem(self, other: Self) -> Self {
                self % other
            }
            fn floor_divide(self, other: Self) -> Self {
                floor_divide(self, other)
            }
            fn remainder(self, other: Self) -> Self {
                let rest = self % other;
                let zero = Self::ZERO;
                if rest == zero {
                    Float::copysign(rest, other)
                } else if (rest < zero) != (other < zero) {
                    rest + other
                } else {
                    rest
                }
            }
            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                if (self < other) | self.is_nan() { self } else { other }
            }
            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                if (self > other) | self.is_nan() { self } else { other }
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Float::copysign(self, Self::ONE)
            }
            fn sign(self) -> Self {
                if self > Self::ZERO {
                    Self::ONE
                } else if self < Self::ZERO {
                    -Self::ONE
                } else {
                    self
                }
            }
            fn powi(self, power: i32) -> Self {
                Self::narrow($functions::powi(self.widen(), power))
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                self.is_finite()
            }
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                let $x = value;
                $from
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                let $x = self;
                $to
            }
            #[inline(always)]
            fn widen(self) -> $S {
                let $x = self;
                $widen
            }
            #[inline(always)]
            fn narrow(sum: $S) -> Self {
                let $x = sum;
                $narrow
            }
        }

        #[diagnostic::do_not_recommend]
        impl Signed for $T {
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
        }
    };
}

for_each_element!(floats);
