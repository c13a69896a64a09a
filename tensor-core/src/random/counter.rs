//! Random numbers as a function of a key and an index, computed by operations on tensors, so that they can be traced.
//!
//! The number at index `i` is that of SplitMix64 after `i` steps from the key. Source: Steele, Lea and Flood, "Fast
//! splittable pseudorandom number generators", 2014, with the finaliser of the authors' reference
//! (<https://prng.di.unimi.it/splitmix64.c>).

use core::f64::consts::PI;

use tensor_array::array::trace::innermost_body;
use tensor_kernels::element::{CastTo, Float, Integer};
use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::layout::num_elements;
use tensor_kernels::sizes::error::ShapeError;

use super::{Draw, filled};
use crate::tensor::DynTensor;

/// 2^64 over the golden ratio: the step of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The factors of the finaliser.
const FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// A key, which may be traced, and how many of its numbers were drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counter {
    pub(super) key: DynTensor<u64>,
    drawn: u64,
    /// The [body](innermost_body) that made it: traced once, it would draw the same numbers of another one in each call.
    body: usize,
}

impl Eq for Counter {}

impl Counter {
    /// The key of a seed and a step.
    pub(super) fn new(seed: u64, step: DynTensor<i64>) -> Self {
        Self::of(numbers(step.cast::<u64>() * STEP + mixed(seed), &[]))
    }

    fn of(key: DynTensor<u64>) -> Self {
        Self { key, drawn: 0, body: innermost_body() }
    }

    /// Whether it was made outside of the body of a loop or branch that is being traced.
    pub(super) fn is_outside_of_body(&self) -> bool {
        self.body != innermost_body()
    }

    /// A counter whose key is the next number.
    pub(super) fn split(&mut self) -> Self {
        Self::of(self.bits(&[]))
    }

    /// The next numbers of 64 random bits: `[..s]`.
    pub(super) fn bits(&mut self, sizes: &[usize]) -> DynTensor<u64> {
        let first = &self.key + self.drawn.wrapping_mul(STEP);
        self.drawn = self.drawn.wrapping_add(num_elements(sizes) as u64);
        numbers(first, sizes)
    }

    /// Numbers from 0, included, to 1, excluded, from the highest bits.
    fn unit<C: Float>(&mut self, sizes: &[usize]) -> DynTensor<C>
    where
        u64: CastTo<C>,
    {
        let digits = if size_of::<C>() == 8 { 53 } else { 24 };
        let bits = self.bits(sizes) >> (64 - digits);
        bits.cast::<C>() * C::from_f64(2_f64.powi(-(digits as i32)))
    }

    /// Normal numbers, by the cosines of Box and Muller, "A note on the generation of random normal deviates", 1958.
    fn normal<C: Float>(&mut self, sizes: &[usize]) -> DynTensor<C>
    where
        u64: CastTo<C>,
    {
        let c = C::from_f64;
        // The logarithm is of numbers above 0.
        let above_zero = self.unit::<C>(sizes) * c(-1.0) + C::ONE;
        let radius = (above_zero.ln() * c(-2.0)).sqrt();
        unwrap_or_panic(radius * (self.unit::<C>(sizes) * c(2.0 * PI)).cos())
    }

    /// Numbers `scale · x + shift`, computed with the digits of `C`.
    fn scaled<C: Float>(
        &mut self,
        from: Draw,
        shift: f64,
        scale: f64,
        sizes: &[usize],
    ) -> DynTensor<C>
    where
        u64: CastTo<C>,
    {
        let c = C::from_f64;
        match from {
            // A sum before a product: no compiler makes one operation of them that rounds once.
            Draw::Unit => (self.unit::<C>(sizes) + c(shift / scale)) * c(scale),
            _ => self.normal::<C>(sizes) * c(scale) + c(shift),
        }
    }

    /// Numbers `scale · x + shift`, rounded to `T` once: `[..s]`.
    pub(super) fn floats<T: Float>(
        &mut self,
        from: Draw,
        shift: f64,
        scale: f64,
        sizes: &[usize],
    ) -> DynTensor<T> {
        if size_of::<T>() == 8 || scale > f64::from(f32::MAX) {
            return self.scaled::<f64>(from, shift, scale, sizes).converted(T::from_f64);
        }
        self.scaled::<f32>(from, shift, scale, sizes).converted(|x| T::from_f64(x.into()))
    }

    /// Numbers from `low`, included, to `high`, excluded: `[..s]`.
    pub(super) fn uniform<T: Float>(&mut self, low: T, high: T, sizes: &[usize]) -> DynTensor<T> {
        let x = self.floats(Draw::Unit, low.to_f64(), high.to_f64() - low.to_f64(), sizes);
        let (low, high) = (DynTensor::scalar(low), DynTensor::scalar(high));
        // A number that rounds up to `high` becomes `low`, to which otherwise only those above it round.
        let is_below = x.less(&high);
        let result = is_below.and_then(|is_below| is_below.select(&x.maximum(&low)?, &low));
        unwrap_or_panic(result)
    }

    /// Integers from `start`, included, to `end`, excluded, by the remainder of 64 bits: `[..s]`.
    pub(super) fn integers<T: Integer>(
        &mut self,
        start: T,
        end: T,
        sizes: &[usize],
    ) -> DynTensor<T> {
        let (start, count) = (start.to_i128(), (end.to_i128() - start.to_i128()) as u64);
        (self.bits(sizes) % count + start as u64).converted(T::from_bits)
    }

    /// `true` with probability `p`: `[..s]`.
    pub(super) fn bernoulli(&mut self, p: f64, sizes: &[usize]) -> DynTensor<bool> {
        let below = DynTensor::scalar((p * 2_f64.powi(63)) as u64);
        unwrap_or_panic((self.bits(sizes) >> 1).less(&below))
    }
}

/// The numbers of SplitMix64 from this state on, in row-major order: `[], [..s] → [..s]`.
fn numbers(first: DynTensor<u64>, sizes: &[usize]) -> DynTensor<u64> {
    if first.is_traced() {
        return unwrap_or_panic(traced_numbers(first, sizes));
    }
    let first = unwrap_or_panic(first.item());
    filled(sizes, |numbers| {
        for (number, index) in numbers.iter_mut().zip(0_u64..) {
            *number = mixed(first.wrapping_add(index.wrapping_mul(STEP)));
        }
    })
}

/// [`numbers`] by operations. The state is a sum over the axes, which is computed where an axis is split over devices, and of
/// which a program has no constant as large as the result.
fn traced_numbers(first: DynTensor<u64>, sizes: &[usize]) -> Result<DynTensor<u64>, ShapeError> {
    let (mut state, mut stride) = (first, STEP);
    for (position, &size) in sizes.iter().rev().enumerate() {
        let mut along = vec![1; position + 1];
        along[0] = size;
        state = (state + DynTensor::arange_from(size, 0, stride).reshape(&along)?)?;
        stride = stride.wrapping_mul(size as u64);
    }
    let x = (&state ^ (&state >> 30))? * FACTORS[0];
    let x = (&x ^ (&x >> 27))? * FACTORS[1];
    &x ^ (&x >> 31)
}

/// The finaliser of SplitMix64: a permutation of the numbers of 64 bits after which every bit depends on all.
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(FACTORS[0]);
    let x = (x ^ (x >> 27)).wrapping_mul(FACTORS[1]);
    x ^ (x >> 31)
}
