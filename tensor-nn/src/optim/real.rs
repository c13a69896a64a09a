//! The arithmetic of rules, for `f32` and `f64`.

use core::ops::{Add, Div, Mul, Neg, Sub};

use tensor_core::__private::with_best_instructions;

/// `f32` or `f64`.
pub trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;

    /// Converts a number, rounding once.
    fn of(number: f64) -> Self;

    fn sqrt(self) -> Self;

    /// The sign: -1, 0 or 1; NaN for NaN.
    #[inline(always)]
    fn sign(self) -> Self {
        if self > Self::ZERO {
            Self::of(1.0)
        } else if self < Self::ZERO {
            Self::of(-1.0)
        } else {
            self
        }
    }
}

macro_rules! real {
    ($($T:ident)*) => {$(
        impl Real for $T {
            const ZERO: Self = 0.0;

            #[inline(always)]
            fn of(number: f64) -> Self {
                number as $T
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <$T>::sqrt(self)
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
        $crate::optim::real::run(
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

#[inline]
pub(super) fn run<R>(work: impl FnOnce() -> R) -> R {
    with_best_instructions(work)
}
