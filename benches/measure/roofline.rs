//! The roofline (Williams et al., 2009): the time to move the bytes through warm memory, or to do the
//! floating-point operations at peak, whichever is larger.

use std::hint::black_box;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};
use std::time::Duration;

use multiversion::multiversion;
use ndarray::{LinalgScalar, ScalarOperand};
use tensor_core::{Float, Tensor, axis, shape};

use super::{Paged, Way, clock, number};

axis!(Any);

/// A number that loops compute with.
pub trait Real:
    Float
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + LinalgScalar
    + ScalarOperand
{
    /// The nearest number.
    fn of(x: f64) -> Self;
    /// `self * factor + summand`, rounded once.
    fn multiply_add(self, factor: Self, summand: Self) -> Self;
    /// The functions of `std`.
    fn std_exp(self) -> Self;
    /// See [`std_exp`](Real::std_exp).
    fn std_tanh(self) -> Self;
    /// See [`std_exp`](Real::std_exp).
    fn std_sqrt(self) -> Self;
}

macro_rules! real {
    ($($T:ident)*) => {$(
        impl Real for $T {
            fn of(x: f64) -> Self {
                x as Self
            }

            #[inline(always)]
            fn multiply_add(self, factor: Self, summand: Self) -> Self {
                self.mul_add(factor, summand)
            }

            #[inline(always)]
            fn std_exp(self) -> Self {
                $T::exp(self)
            }

            #[inline(always)]
            fn std_tanh(self) -> Self {
                $T::tanh(self)
            }

            #[inline(always)]
            fn std_sqrt(self) -> Self {
                $T::sqrt(self)
            }
        }
    )*};
}

real! { f32 f64 }

/// `work()` in the widest instruction set of the CPU. What it calls must be inlined.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma", "x86_64+avx2+fma"))]
pub fn widest<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// The memory accesses of a hand-written loop: operands read, result written.
#[derive(Clone, Copy, Debug)]
pub enum Moves {
    /// `sum(x)`
    Read,
    /// `out = c`
    Write,
    /// `out = -x`
    Copy,
    /// `out = x + y`
    Add,
    /// `out += x`
    Update,
}

/// One pass of a hand-written loop.
#[inline(always)]
fn pass<T: Real>(moves: Moves, out: &mut [T], x: &[T], y: &[T]) {
    match moves {
        Moves::Read => {
            let mut sums = [T::ZERO; 64];
            let (whole, rest) = x.as_chunks::<64>();
            for x in whole {
                for (sum, x) in sums.iter_mut().zip(x) {
                    *sum += *x;
                }
            }
            for x in rest {
                sums[0] += *x;
            }
            black_box(&sums);
        }
        Moves::Write => out.fill(black_box(T::ONE)),
        Moves::Copy => {
            for (out, x) in out.iter_mut().zip(x) {
                *out = -*x;
            }
        }
        Moves::Add => {
            for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
                *out = *x + *y;
            }
        }
        Moves::Update => {
            for (out, x) in out.iter_mut().zip(x) {
                *out += *x;
            }
        }
    }
}

/// The hand-written loop over `count` numbers, for the baseline and the widest instruction set, in the
/// memory of a `Vec` and of a tensor: the fastest is the roofline.
pub fn moving<T: Real>(moves: Moves, count: usize) -> Vec<Way<'static>> {
    let lengths = match moves {
        Moves::Read => [0, count, 0],
        Moves::Write => [count, 0, 0],
        Moves::Copy | Moves::Update => [count, count, 0],
        Moves::Add => [count; 3],
    };
    let numbered = |i| T::of(number(i));
    let mut vectors = lengths.map(|length| Paged::new(length, numbered));
    let plain = Way::timed("limit, plain", move |calls| {
        let [out, x, y] = vectors.each_mut().map(Paged::slice);
        let start = clock::now();
        for _ in 0..calls {
            pass(moves, black_box(&mut *out), black_box(&*x), black_box(&*y));
        }
        clock::since(start)
    });
    let mut tensors = lengths.map(|length| {
        let numbers = (0..length).map(numbered).collect();
        let x = Tensor::<shape![Any], T>::from_vec_shaped(shape![Any(length)], numbers);
        // The tensor's own memory, where a `Vec` would stay the user's.
        x.expect("as many numbers").map(|x| x)
    });
    let wide = Way::timed("limit, widest", move |calls| {
        let [out, x, y] = tensors.each_mut().map(Tensor::as_mut_slice);
        let start = clock::now();
        widest(
            #[inline(always)]
            || {
                for _ in 0..calls {
                    pass(moves, black_box(&mut *out), black_box(&*x), black_box(&*y));
                }
            },
        );
        clock::since(start)
    });
    vec![plain, wide]
}

/// Length of the chains of multiply-adds in one call.
const STEPS: usize = 2_000;

/// `STEPS` fused multiply-adds in each of several independent chains.
#[inline(always)]
fn chains<T: Real, const CHAINS: usize>() {
    let mut chains = [black_box(T::ONE); CHAINS];
    let (factor, summand) = (black_box(T::of(0.999)), black_box(T::of(1e-3)));
    for _ in 0..STEPS {
        for chain in &mut chains {
            *chain = chain.multiply_add(factor, summand);
        }
    }
    black_box(&chains);
}

/// The time of `calls` calls of [`chains`] in the widest instruction set.
fn time_of<T: Real, const CHAINS: usize>(calls: usize) -> Duration {
    let start = clock::now();
    for _ in 0..calls {
        widest(
            #[inline(always)]
            || chains::<T, CHAINS>(),
        );
    }
    clock::since(start)
}

/// Peak throughput of fused multiply-adds.
#[derive(Clone, Copy)]
pub struct Peak {
    work: fn(usize) -> Duration,
    /// The floating-point operations of a call, two for each multiply-add.
    pub operations: f64,
}

impl Peak {
    fn of<T: Real, const CHAINS: usize>() -> Self {
        Peak { work: time_of::<T, CHAINS>, operations: (2 * CHAINS * STEPS) as f64 }
    }

    /// The number of chains with the highest throughput, found by trying: enough to hide the latency, few
    /// enough for the registers.
    pub fn measured<T: Real>() -> Self {
        let mut peaks = [
            Peak::of::<T, 192>(),
            Peak::of::<T, 160>(),
            Peak::of::<T, 96>(),
            Peak::of::<T, 80>(),
            Peak::of::<T, 40>(),
            Peak::of::<T, 20>(),
        ]
        .map(|peak| (peak, f64::INFINITY));
        for _ in 0..15 {
            for (peak, best) in &mut peaks {
                *best = best.min((peak.work)(3).as_secs_f64() / peak.operations);
            }
        }
        let best = peaks.into_iter().min_by(|(_, a), (_, b)| a.total_cmp(b));
        best.expect("some were tried").0
    }

    /// Current time of one operation in nanoseconds.
    pub fn operation(self) -> f64 {
        const CALLS: usize = 4;
        (self.work)(CALLS).as_nanos() as f64 / (CALLS as f64 * self.operations)
    }

    /// The peak as a way among others.
    pub fn way(self) -> Way<'static> {
        Way::timed("peak", self.work).sustained()
    }
}

/// The time of `calls` calls of an empty function that is not inlined and takes two references.
pub fn time_of_calls(calls: usize) -> Duration {
    #[inline(never)]
    fn nothing(_: &[f32; 16], _: &[f32; 16]) {}

    let (x, y) = ([1.0_f32; 16], [1.0_f32; 16]);
    // The callee is opaque to the optimiser.
    let nothing = black_box(nothing as fn(&_, &_));
    let start = clock::now();
    for _ in 0..calls {
        nothing(black_box(&x), black_box(&y));
    }
    clock::since(start)
}
