//! The arithmetic of rules, for `f32` and `f64`.

use core::ops::{Add, Div, Mul, Neg, Sub};

/// `f32` or `f64`, or symbols that represent tensors of them.
pub trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The numbers of a step: `f64`, or symbols that represent them.
    type Number: Scalar;

    /// Converts a number, rounding once.
    fn of(number: f64) -> Self;

    /// Converts a number of a step, rounding once.
    fn round(number: Self::Number) -> Self;

    fn sqrt(self) -> Self;

    /// The sign: -1, 0 or 1; NaN for NaN.
    #[inline(always)]
    fn sign(self) -> Self {
        let zero = Self::of(0.0);
        if self > zero {
            Self::of(1.0)
        } else if self < zero {
            Self::of(-1.0)
        } else {
            self
        }
    }

    /// `first` in the first step, `later` in all others.
    fn first_or(count: Self::Number, first: Self, later: Self) -> Self;
}

/// A number of a step: a rate, or the number of the step.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    fn of(number: f64) -> Self;

    fn sqrt(self) -> Self;

    /// `base` to the power of this number.
    fn exponent_of(self, base: f64) -> Self;
}

impl Scalar for f64 {
    #[inline(always)]
    fn of(number: f64) -> Self {
        number
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn exponent_of(self, base: f64) -> Self {
        base.powf(self)
    }
}

macro_rules! real {
    ($($T:ident)*) => {$(
        impl Real for $T {
            type Number = f64;

            #[inline(always)]
            fn of(number: f64) -> Self {
                number as $T
            }

            #[inline(always)]
            fn round(number: f64) -> Self {
                number as $T
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <$T>::sqrt(self)
            }

            #[inline(always)]
            fn first_or(count: f64, first: Self, later: Self) -> Self {
                if count == 1.0 { first } else { later }
            }
        }
    )*};
}

real!(f32 f64);

/// Runs the body for each element of all slices, bound to their names, in SIMD code if the machine
/// has it. The second slice is only read.
///
/// Multiplications and additions are rounded separately (no FMA): results are bit-identical on all machines.
macro_rules! for_each {
    ($($x:ident),+ => $body:block) => {
        tensor_core::loops::with_best_instructions(
            #[inline(always)]
            || $crate::optim::real::for_each!(@zip $body; $($x)+),
        )
    };
    (@zip $body:block; $a:ident $b:ident) => {
        for ($a, &$b) in $a.iter_mut().zip($b.iter()) $body
    };
    (@zip $body:block; $a:ident $b:ident $c:ident) => {
        for (($a, &$b), $c) in $a.iter_mut().zip($b.iter()).zip($c.iter_mut()) $body
    };
    (@zip $body:block; $a:ident $b:ident $c:ident $d:ident) => {
        for ((($a, &$b), $c), $d) in
            $a.iter_mut().zip($b.iter()).zip($c.iter_mut()).zip($d.iter_mut()) $body
    };
}

pub(super) use for_each;
