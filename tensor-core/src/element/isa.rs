//! What the processor offers beyond the basic operations.

use core::ops::{Add, Mul, Neg, Sub};

/// What the processor has that the functions of this module make use of.
///
/// A value, which the kernel hands to them: a constant in each version of a loop, so that nothing is
/// left of it where the loop runs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions {
    /// Whether `a * b + c` is one instruction, which rounds once.
    fused: bool,
}

impl Instructions {
    /// With fused multiply-adds. Only for code that is compiled with them: elsewhere each one is a
    /// slow call.
    pub const FUSED: Self = Self { fused: true };

    /// Without fused multiply-adds.
    pub const PLAIN: Self = Self { fused: false };

    /// What all code of this build may use. ARM has fused multiply-adds always.
    pub const OF_THE_BUILD: Self = if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        Self::FUSED
    } else {
        Self::PLAIN
    };

    /// What either of two has.
    #[inline(always)]
    pub(crate) const fn or(self, other: Self) -> Self {
        Self { fused: self.fused | other.fused }
    }

    /// `x y + z`, rounded once or twice.
    #[inline(always)]
    pub(crate) fn mul_add<F: MultiplyAdd>(self, x: F, y: F, z: F) -> F {
        if self.fused { x.fused(y, z) } else { x * y + z }
    }

    /// `x y` and what rounding it lost.
    #[inline(always)]
    pub(crate) fn product<F: MultiplyAdd>(self, x: F, y: F) -> (F, F) {
        let result = x * y;
        let lost = if self.fused {
            x.fused(y, -result)
        } else {
            let ((a, b), (c, d)) = (x.split(), y.split());
            ((a * c - result) + (a * d + b * c)) + b * d
        };
        (result, lost)
    }

    /// `x y + z` and what rounding it lost, where the result less `z` is exact: where `z` is the
    /// larger part, or has few digits.
    #[inline(always)]
    pub(crate) fn exact_mul_add<F: MultiplyAdd>(self, x: F, y: F, z: F) -> (F, F) {
        if self.fused {
            let result = x.fused(y, z);
            (result, x.fused(y, z - result))
        } else {
            let (product, lost) = self.product(x, y);
            let result = product + z;
            (result, (product + (z - result)) + lost)
        }
    }
}

/// `f32` and `f64`.
pub(crate) trait MultiplyAdd:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// `self * factor + summand`, rounded once.
    fn fused(self, factor: Self, summand: Self) -> Self;

    /// The first half of the bits and the others: products of such parts are exact.
    fn split(self) -> (Self, Self);
}

macro_rules! multiply_add {
    ($($F:ident, $U:ident;)*) => {$(
        impl MultiplyAdd for $F {
            #[inline(always)]
            fn fused(self, factor: Self, summand: Self) -> Self {
                self.mul_add(factor, summand)
            }

            #[inline(always)]
            fn split(self) -> (Self, Self) {
                let others = $F::MANTISSA_DIGITS.div_ceil(2);
                let head = $F::from_bits(self.to_bits() & ($U::MAX << others));
                (head, self - head)
            }
        }
    )*};
}

multiply_add! {
    f32, u32;
    f64, u64;
}
