//! The available instruction set (ISA), as a value.

use core::ops::{Add, Mul, Neg, Sub};

/// The available instruction set, as far as the functions of this module depend on it.
///
/// The kernel passes it as a value, a constant in each compiled version of a loop, so branches on it
/// are folded.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    /// Whether `a * b + c` is one instruction (FMA), rounded once.
    fma: bool,
}

impl Isa {
    /// With fused multiply-adds. Only for code compiled with the `fma` feature: elsewhere each is a
    /// slow call.
    pub const FMA: Self = Self { fma: true };

    /// Without fused multiply-adds.
    pub const NO_FMA: Self = Self { fma: false };

    /// The baseline of this build. AArch64 always has fused multiply-adds.
    pub const BASELINE: Self = if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        Self::FMA
    } else {
        Self::NO_FMA
    };

    /// `x y + z`, rounded once or twice.
    #[inline(always)]
    pub(crate) fn mul_add<F: MultiplyAdd>(self, x: F, y: F, z: F) -> F {
        if self.fma { x.fma(y, z) } else { x * y + z }
    }

    /// TwoProduct: `x y` and its rounding error.
    #[inline(always)]
    pub(crate) fn product<F: MultiplyAdd>(self, x: F, y: F) -> (F, F) {
        let result = x * y;
        let lost = if self.fma {
            x.fma(y, -result)
        } else {
            let ((a, b), (c, d)) = (x.split(), y.split());
            ((a * c - result) + (a * d + b * c)) + b * d
        };
        (result, lost)
    }

    /// `x y + z` and its rounding error, if the result less `z` is exact: `z` is the larger part, or
    /// has few significant bits.
    #[inline(always)]
    pub(crate) fn two_mul_add<F: MultiplyAdd>(self, x: F, y: F, z: F) -> (F, F) {
        if self.fma {
            let result = x.fma(y, z);
            (result, x.fma(y, z - result))
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
    fn fma(self, factor: Self, summand: Self) -> Self;

    /// Veltkamp splitting into high and low half: products of halves are exact.
    fn split(self) -> (Self, Self);
}

macro_rules! multiply_add {
    ($($F:ident, $U:ident;)*) => {$(
        impl MultiplyAdd for $F {
            #[inline(always)]
            fn fma(self, factor: Self, summand: Self) -> Self {
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
