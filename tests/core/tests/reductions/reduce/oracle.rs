//! Random tensors, and what a reduction must give, by nested loops.

use tensor_core::element::Number;
use tensor_core::{Element, Shape, Tensor};

/// Random elements of a type, special values among them.
pub trait Random: Number {
    fn random(bits: u64) -> Self;
}

macro_rules! random_integers {
    ($($T:ident)*) => {$(
        impl Random for $T {
            fn random(bits: u64) -> Self {
                match bits % 16 {
                    0 => $T::MIN,
                    1 => $T::MAX,
                    2..8 => (bits >> 8) as $T % 8,
                    _ => (bits >> 8) as $T,
                }
            }
        }
    )*};
}

random_integers!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! random_floats {
    ($($T:ident)*) => {$(
        impl Random for $T {
            fn random(bits: u64) -> Self {
                let fraction = (bits >> 12) as f64 / (1u64 << 52) as f64 * 2.0 - 1.0;
                match bits % 64 {
                    0 => Self::ZERO,
                    1 => Self::from_f64(-0.0),
                    2 => Self::ONE,
                    3..8 => Self::from_f64((fraction * 4.0).round()),
                    _ => Self::from_f64(fraction),
                }
            }
        }
    )*};
}

random_floats!(f32 f64);
random_floats!(f16 bf16);
use half::{bf16, f16};

/// A stream of random bits (SplitMix64).
pub fn bits(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

pub fn random<S: Shape, T: Random>(shape: S, seed: u64) -> Tensor<S, T> {
    let mut bits = bits(seed);
    let data = (0..shape.num_elements()).map(|_| T::random(bits())).collect();
    Tensor::from_vec_shaped(shape, data).unwrap()
}

/// The lines of a tensor along an axis, by nested loops: one list for each result.
pub fn lines<S: Shape, T: Element>(x: &Tensor<S, T>, axis: usize) -> Vec<Vec<T>> {
    let sizes = x.shape().sizes();
    let (outer, n): (usize, usize) = (sizes[..axis].iter().product(), sizes[axis]);
    let inner: usize = sizes[axis + 1..].iter().product();
    let elements = x.to_vec();
    let mut lines = Vec::new();
    for o in 0..outer {
        for i in 0..inner {
            lines.push((0..n).map(|k| elements[(o * n + k) * inner + i]).collect());
        }
    }
    lines
}

pub fn is_float<T: Element>() -> bool {
    matches!(T::NAME, "f32" | "f64" | "f16" | "bf16")
}

/// How far a number of this type may be from the next one.
pub fn epsilon<T: Element>() -> f64 {
    match T::NAME {
        "f32" => f64::from(f32::EPSILON),
        "f64" => f64::EPSILON,
        "f16" => 9.765625e-4,
        "bf16" => 0.0078125,
        _ => 0.0,
    }
}

/// The same for the type that sums are kept in.
pub fn sum_epsilon<T: Element>() -> f64 {
    if T::NAME == "f64" { f64::EPSILON } else { f64::from(f32::EPSILON) }
}

/// Rounding to 16 bits at the end; other types are not rounded once more.
pub fn rounding<T: Element>(value: f64) -> f64 {
    if matches!(T::NAME, "f16" | "bf16") { epsilon::<T>() * value.abs() + 1e-7 } else { 0.0 }
}

/// How many additions an element goes through at most: 64 within a lane or a block of rows, and
/// those that join lanes and blocks pairwise.
pub fn additions(len: usize) -> f64 {
    (len as f64).min(64.0 + 8.0 + (len as f64).log2().max(0.0))
}

/// The sum with what every addition loses kept apart (Neumaier).
pub fn exact_sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0, 0.0);
    for x in terms {
        let next = sum + x;
        lost += if f64::abs(sum) >= f64::abs(x) { (sum - next) + x } else { (x - next) + sum };
        sum = next;
    }
    sum + lost
}

#[track_caller]
pub fn assert_near<T: Number>(found: T, expected: f64, bound: f64) {
    let error = (found.to_f64() - expected).abs();
    // The nearest number of the type, which may be infinite, is always right.
    let near = error <= bound + rounding::<T>(expected) || same(found, T::from_f64(expected));
    assert!(near, "{found} for {expected}: {error} off, {bound} allowed");
}

/// The sum as it must be: integers wrap around, floats lose half an epsilon in each addition.
#[track_caller]
pub fn assert_sum<T: Number>(found: T, line: &[T]) {
    if is_float::<T>() {
        let sum = exact_sum(line.iter().map(|x| x.to_f64()));
        let size: f64 = line.iter().map(|x| x.to_f64().abs()).sum();
        assert_near(found, sum, sum_epsilon::<T>() / 2.0 * additions(line.len()) * size);
    } else {
        assert_eq!(found, line.iter().fold(T::ZERO, |sum, &x| sum.add(x)), "{line:?}");
    }
}

pub fn same<T: Number>(a: T, b: T) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

#[track_caller]
pub fn assert_same<T: Number>(found: &[T], expected: &[T]) {
    assert_eq!(found.len(), expected.len());
    for (index, (&a, &b)) in found.iter().zip(expected).enumerate() {
        assert!(same(a, b), "result {index}: {a}, not {b}");
    }
}

/// The first largest element, and the first NaN before all others.
pub fn first_largest<T: Number>(line: &[T]) -> usize {
    let mut best = 0;
    for (index, x) in line.iter().enumerate() {
        if !line[best].is_nan() && (x.is_nan() || *x > line[best]) {
            best = index;
        }
    }
    best
}

pub fn first_smallest<T: Number>(line: &[T]) -> usize {
    let mut best = 0;
    for (index, x) in line.iter().enumerate() {
        if !line[best].is_nan() && (x.is_nan() || *x < line[best]) {
            best = index;
        }
    }
    best
}
