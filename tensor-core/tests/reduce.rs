//! Reductions against nested loops, over random sizes, layouts and special values.
#![allow(clippy::type_complexity)] // Shapes are types, and these are written out.

use proptest::prelude::*;
use tensor_core::element::Number;
use tensor_core::{Axis, Element, Float, Shape, Tensor, axes, axis, shape, tensor};

axis!(A);
axis!(B);
axis!(C);

/// Random elements of a type, special values among them.
trait Random: Number {
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
#[cfg(feature = "half")]
random_floats!(f16 bf16);
#[cfg(feature = "half")]
use half::{bf16, f16};

/// A stream of random bits (SplitMix64).
fn bits(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn random<S: Shape, T: Random>(shape: S, seed: u64) -> Tensor<S, T> {
    let mut bits = bits(seed);
    let data = (0..shape.num_elements()).map(|_| T::random(bits())).collect();
    Tensor::from_vec_with(shape, data).unwrap()
}

/// The lines of a tensor along an axis, by nested loops: one list for each result.
fn lines<S: Shape, T: Element>(x: &Tensor<S, T>, axis: usize) -> Vec<Vec<T>> {
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

fn is_float<T: Element>() -> bool {
    matches!(T::NAME, "f32" | "f64" | "f16" | "bf16")
}

/// How far a number of this type may be from the next one.
fn epsilon<T: Element>() -> f64 {
    match T::NAME {
        "f32" => f64::from(f32::EPSILON),
        "f64" => f64::EPSILON,
        "f16" => 9.765625e-4,
        "bf16" => 0.0078125,
        _ => 0.0,
    }
}

/// The same for the type that sums are kept in.
fn sum_epsilon<T: Element>() -> f64 {
    if T::NAME == "f64" { f64::EPSILON } else { f64::from(f32::EPSILON) }
}

/// Rounding to 16 bits at the end; other types are not rounded once more.
fn rounding<T: Element>(value: f64) -> f64 {
    if matches!(T::NAME, "f16" | "bf16") { epsilon::<T>() * value.abs() + 1e-7 } else { 0.0 }
}

/// How many additions an element goes through at most: 64 within a lane or a block of rows, and
/// those that join lanes and blocks pairwise.
fn additions(len: usize) -> f64 {
    (len as f64).min(64.0 + 8.0 + (len as f64).log2().max(0.0))
}

/// The sum with what every addition loses kept apart (Neumaier).
fn exact_sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0, 0.0);
    for x in terms {
        let next = sum + x;
        lost += if f64::abs(sum) >= f64::abs(x) { (sum - next) + x } else { (x - next) + sum };
        sum = next;
    }
    sum + lost
}

#[track_caller]
fn assert_near<T: Number>(found: T, expected: f64, bound: f64) {
    let error = (found.to_f64() - expected).abs();
    // The nearest number of the type, which may be infinite, is always right.
    let near = error <= bound + rounding::<T>(expected) || same(found, T::from_f64(expected));
    assert!(near, "{found} for {expected}: {error} off, {bound} allowed");
}

/// The sum as it must be: integers wrap around, floats lose half an epsilon in each addition.
#[track_caller]
fn assert_sum<T: Number>(found: T, line: &[T]) {
    if is_float::<T>() {
        let sum = exact_sum(line.iter().map(|x| x.to_f64()));
        let size: f64 = line.iter().map(|x| x.to_f64().abs()).sum();
        assert_near(found, sum, sum_epsilon::<T>() / 2.0 * additions(line.len()) * size);
    } else {
        assert_eq!(found, line.iter().fold(T::ZERO, |sum, &x| sum.add(x)), "{line:?}");
    }
}

fn same<T: Number>(a: T, b: T) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

#[track_caller]
fn assert_same<T: Number>(found: &[T], expected: &[T]) {
    assert_eq!(found.len(), expected.len());
    for (index, (&a, &b)) in found.iter().zip(expected).enumerate() {
        assert!(same(a, b), "result {index}: {a}, not {b}");
    }
}

/// The first largest element, and the first NaN before all others.
fn first_largest<T: Number>(line: &[T]) -> usize {
    let mut best = 0;
    for (index, x) in line.iter().enumerate() {
        if !line[best].is_nan() && (x.is_nan() || *x > line[best]) {
            best = index;
        }
    }
    best
}

fn first_smallest<T: Number>(line: &[T]) -> usize {
    let mut best = 0;
    for (index, x) in line.iter().enumerate() {
        if !line[best].is_nan() && (x.is_nan() || *x < line[best]) {
            best = index;
        }
    }
    best
}

/// Checks every reduction of numbers along every axis, and over everything.
fn check_numbers<X: Axis, Y: Axis, Z: Axis, T: Random>(x: &Tensor<shape![X, Y, Z], T>) {
    macro_rules! along {
        ($($axis:literal from the end $negative:literal)*) => {$(
            let lines = self::lines(x, $axis);
            let sums = x.sum_axis::<$axis>().to_vec();
            assert_eq!(sums.len(), lines.len());
            sums.iter().zip(&lines).for_each(|(&sum, line)| assert_sum(sum, line));
            assert_same(&x.sum_axis::<$negative>().to_vec(), &sums);
            let kept = x.sum_axis_keepdims::<$axis>();
            assert_eq!(kept.shape().sizes()[$axis], 1);
            assert_same(&kept.to_vec(), &sums);

            let mut sizes = x.shape().sizes();
            sizes.remove($axis);
            assert_eq!(x.sum_axis::<$axis>().shape().sizes(), sizes);

            if x.shape().sizes()[$axis] > 0 {
                let largest: Vec<usize> = lines.iter().map(|l| first_largest(l)).collect();
                let smallest: Vec<usize> = lines.iter().map(|l| first_smallest(l)).collect();
                let at = |places: &[usize]| -> Vec<T> {
                    lines.iter().zip(places).map(|(line, &place)| line[place]).collect()
                };
                let numbers = |places: &[usize]| -> Vec<i64> {
                    places.iter().map(|&place| place as i64).collect()
                };
                assert_same(&x.max_axis::<$axis>().to_vec(), &at(&largest));
                assert_same(&x.min_axis::<$negative>().to_vec(), &at(&smallest));
                assert_same(&x.max_axis_keepdims::<$axis>().to_vec(), &at(&largest));
                assert_same(&x.min_axis_keepdims::<$axis>().to_vec(), &at(&smallest));
                assert_eq!(x.argmax_axis::<$axis>().to_vec(), numbers(&largest));
                assert_eq!(x.argmin_axis::<$negative>().to_vec(), numbers(&smallest));
                assert_eq!(x.argmax_axis_keepdims::<$axis>().to_vec(), numbers(&largest));
                assert_eq!(x.argmin_axis_keepdims::<$axis>().to_vec(), numbers(&smallest));
            }

            // Sums so far: the same additions one after the other, and so the same bits.
            let cumulated = x.cumsum::<$axis>();
            assert_eq!(cumulated.shape(), x.shape());
            for (found, line) in self::lines(&cumulated, $axis).iter().zip(&lines) {
                let mut sum = T::Sum::from_f64(-0.0);
                let expected: Vec<T> = line
                    .iter()
                    .map(|x| {
                        sum = sum.add(x.widen());
                        T::narrow(sum)
                    })
                    .collect();
                assert_same(found, &expected);
            }
        )*};
    }
    along!(0 from the end -3  1 from the end -2  2 from the end -1);
    let all = x.to_vec();
    assert_sum(x.sum().item(), &all);
    if !all.is_empty() {
        assert_same(&[x.max().item()], &[all[first_largest(&all)]]);
        assert_same(&[x.min().item()], &[all[first_smallest(&all)]]);
        assert_eq!(x.argmax().item(), first_largest(&all) as i64);
        assert_eq!(x.argmin().item(), first_smallest(&all) as i64);
    }
    if !is_float::<T>() {
        let product = |line: &[T]| line.iter().fold(T::ONE, |product, &x| product.mul(x));
        assert_eq!(x.prod().item(), product(&all));
        let products: Vec<T> = lines(x, 1).iter().map(|line| product(line)).collect();
        assert_eq!(x.prod_axis::<1>().to_vec(), products);
        assert_eq!(x.prod_axis_keepdims::<1>().to_vec(), products);
    }
}

/// The mean of a line, the mean of the squared deviations from it, and a bound on the error of the
/// latter.
fn moments<T: Number>(line: &[T]) -> [f64; 3] {
    let count = line.len() as f64;
    let mean = exact_sum(line.iter().map(|x| x.to_f64())) / count;
    let square = |x: f64| x * x;
    let variance = exact_sum(line.iter().map(|x| square(x.to_f64() - mean))) / count;
    let squares = line.iter().map(|x| square(x.to_f64())).sum::<f64>() / count;
    [mean, variance, sum_epsilon::<T>() * additions(line.len()) * squares]
}

#[track_caller]
fn assert_moments<T: Number>(line: &[T], mean: T, var: T, std: T) {
    let [expected, variance, bound] = moments(line);
    let size = line.iter().map(|x| x.to_f64().abs()).sum::<f64>() / line.len() as f64;
    assert_near(mean, expected, sum_epsilon::<T>() * additions(line.len()) * size);
    assert_near(var, variance, bound);
    // The difference of two roots.
    assert_near(std, variance.sqrt(), bound.sqrt().min(bound / variance.sqrt()));
}

/// Checks every reduction of floats along every axis, and over everything.
fn check_floats<X: Axis, Y: Axis, Z: Axis, T: Random + Float>(x: &Tensor<shape![X, Y, Z], T>) {
    macro_rules! along {
        ($($axis:literal)*) => {$(
            let lines = self::lines(x, $axis);
            let means = x.mean_axis::<$axis>().to_vec();
            let variances = x.var_axis::<$axis>().to_vec();
            let deviations = x.std_axis::<$axis>().to_vec();
            let corrected = x.var_axis_with::<$axis>(1).to_vec();
            let products = x.prod_axis::<$axis>().to_vec();
            let logarithms = x.logsumexp_axis::<$axis>().to_vec();
            assert_same(&x.mean_axis_keepdims::<$axis>().to_vec(), &means);
            assert_same(&x.var_axis_keepdims::<$axis>().to_vec(), &variances);
            assert_same(&x.std_axis_keepdims::<$axis>().to_vec(), &deviations);
            assert_same(&x.logsumexp_axis_keepdims::<$axis>().to_vec(), &logarithms);
            assert_eq!(means.len(), lines.len());
            assert_eq!(logarithms.len(), lines.len());
            let (softmax, logarithm) = (x.softmax::<$axis>(), x.log_softmax::<$axis>());
            assert_eq!((softmax.shape(), logarithm.shape()), (x.shape(), x.shape()));
            let (softmax, log_softmax) =
                (self::lines(&softmax, $axis), self::lines(&logarithm, $axis));
            for (index, line) in lines.iter().enumerate() {
                assert_moments(line, means[index], variances[index], deviations[index]);
                let [_, variance, bound] = moments(line);
                let count = line.len() as f64;
                if count > 1.0 {
                    let more = count / (count - 1.0);
                    assert_near(corrected[index], variance * more, 2.0 * bound * more);
                }
                if count <= 40.0 {
                    let product: f64 = line.iter().map(|x| x.to_f64()).product();
                    let bound = sum_epsilon::<T>() * count * product.abs() + 1e-36;
                    assert_near(products[index], product, bound);
                }
                let largest = line.iter().map(|x| x.to_f64()).fold(f64::NEG_INFINITY, f64::max);
                let sum = exact_sum(line.iter().map(|x| (x.to_f64() - largest).exp()));
                // The sum, its logarithm, and the exponentials of rounded differences.
                let bound = sum_epsilon::<T>() * (additions(line.len()) + 12.0);
                if line.is_empty() {
                    assert_eq!(logarithms[index].to_f64(), f64::NEG_INFINITY);
                } else {
                    let range = line.iter().map(|x| x.to_f64().abs()).fold(1.0, f64::max);
                    assert_near(logarithms[index], largest + sum.ln(), bound * range);
                }
                for (place, x) in line.iter().enumerate() {
                    let below = x.to_f64() - largest;
                    let expected = below.exp() / sum;
                    let bound = bound + sum_epsilon::<T>() * below.abs();
                    assert_near(softmax[index][place], expected, bound * expected + 1e-36);
                    assert_near(log_softmax[index][place], below - sum.ln(), bound);
                }
            }
        )*};
    }
    along!(0 1 2);
    let all = x.to_vec();
    assert_moments(&all, x.mean().item(), x.var().item(), x.std().item());
    if !all.is_empty() {
        let sum = exact_sum(all.iter().map(|x| x.to_f64().exp()));
        let range = all.iter().map(|x| x.to_f64().abs()).fold(1.0, f64::max);
        let bound = sum_epsilon::<T>() * (additions(all.len()) + 12.0) * range;
        assert_near(x.logsumexp().item(), sum.ln(), bound);
    }
}

fn check_bools<X: Axis, Y: Axis, Z: Axis>(x: &Tensor<shape![X, Y, Z], bool>) {
    macro_rules! along {
        ($($axis:literal)*) => {$(
            let lines = self::lines(x, $axis);
            let all: Vec<bool> = lines.iter().map(|line| !line.contains(&false)).collect();
            let any: Vec<bool> = lines.iter().map(|line| line.contains(&true)).collect();
            assert_eq!(x.all_axis::<$axis>().to_vec(), all);
            assert_eq!(x.any_axis::<$axis>().to_vec(), any);
            assert_eq!(x.all_axis_keepdims::<$axis>().to_vec(), all);
            assert_eq!(x.any_axis_keepdims::<$axis>().to_vec(), any);
        )*};
    }
    along!(0 1 2);
    assert_eq!(x.all().item(), !x.to_vec().contains(&false));
    assert_eq!(x.any().item(), x.to_vec().contains(&true));
}

/// Calls a check with a tensor in row-major order and with views, in every order of the axes and
/// stretched.
macro_rules! with_views {
    ($check:ident, $T:ident, [$a:ident, $b:ident, $c:ident], $seed:ident) => {
        let shape = shape![A($a), B($b), C($c)];
        let x = random::<_, $T>(shape, $seed);
        $check(&x);
        $check(&x.transpose());
        $check(&x.permute::<axes![1, 0, 2]>());
        $check(&x.permute::<axes![1, 2, 0]>());
        $check(&x.permute::<axes![2, 0, 1]>());
        $check(&x.permute::<axes![2, 1, 0]>());
        let stretched = random::<_, $T>(shape![A($a), 1, C($c)], $seed).expand_with(shape);
        $check(&stretched);
        $check(&stretched.transpose());
        $check(&stretched.permute::<axes![1, 2, 0]>());
    };
}

/// Sizes that meet the edges of lanes, tiles and short rows, and zero: one axis may be long.
fn sizes() -> impl Strategy<Value = [usize; 3]> {
    let long = prop_oneof![0..40usize, Just(64), 65..300usize];
    (long, 0..20usize, 0..6usize)
        .prop_flat_map(|(a, b, c)| Just(vec![a, b, c]).prop_shuffle())
        .prop_map(|sizes| [sizes[0], sizes[1], sizes[2]])
}

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

macro_rules! every_type {
    ($($name:ident: $check:ident of $T:ident;)*) => {
        proptest! {
            #![proptest_config(cases(24))]
            $(
                #[test]
                fn $name([a, b, c] in sizes(), seed: u64) {
                    with_views!($check, $T, [a, b, c], seed);
                }
            )*
        }
    };
}

every_type! {
    reductions_of_f32: check_numbers of f32;
    reductions_of_f64: check_numbers of f64;
    reductions_of_i8: check_numbers of i8;
    reductions_of_i16: check_numbers of i16;
    reductions_of_i32: check_numbers of i32;
    reductions_of_i64: check_numbers of i64;
    reductions_of_u8: check_numbers of u8;
    reductions_of_u16: check_numbers of u16;
    reductions_of_u32: check_numbers of u32;
    reductions_of_u64: check_numbers of u64;
    means_and_the_like_of_f32: check_floats of f32;
    means_and_the_like_of_f64: check_floats of f64;
}

#[cfg(feature = "half")]
every_type! {
    reductions_of_f16: check_numbers of f16;
    reductions_of_bf16: check_numbers of bf16;
    means_and_the_like_of_f16: check_floats of f16;
    means_and_the_like_of_bf16: check_floats of bf16;
}

proptest! {
    #![proptest_config(cases(48))]
    #[test]
    fn reductions_of_bool([a, b, c] in sizes(), seed: u64, rare in 1..200u64) {
        let mut bits = bits(seed);
        let x = Tensor::from_fn_with(shape![A(a), B(b), C(c)], |[_, _, _]| !bits().is_multiple_of(rare));
        for x in [x.clone(), !x] {
            check_bools(&x);
            check_bools(&x.transpose());
            check_bools(&x.permute::<axes![1, 2, 0]>());
            check_bools(&x.any_axis_keepdims::<1>().expand_with(x.shape()));
        }
    }

    /// Floats with NaN and infinities: the first NaN is the largest and the smallest.
    #[test]
    fn extremes_with_nan([a, b, c] in sizes(), seed: u64, rare in 2..500u64) {
        let mut bits = bits(seed);
        let x = Tensor::from_fn_with(shape![A(a), B(b), C(c)], |[_, _, _]| match bits() % rare {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            other => other as f32,
        });
        macro_rules! along {
            ($x:expr; $($axis:literal)*) => {$(
                let lines = self::lines(&$x, $axis);
                if $x.shape().sizes()[$axis] > 0 {
                    let places: Vec<i64> = lines.iter().map(|l| first_largest(l) as i64).collect();
                    assert_eq!($x.argmax_axis::<$axis>().to_vec(), places);
                    let places: Vec<i64> = lines.iter().map(|l| first_smallest(l) as i64).collect();
                    assert_eq!($x.argmin_axis::<$axis>().to_vec(), places);
                    let largest: Vec<f32> = lines.iter().map(|l| l[first_largest(l)]).collect();
                    assert_same(&$x.max_axis::<$axis>().to_vec(), &largest);
                    let smallest: Vec<f32> = lines.iter().map(|l| l[first_smallest(l)]).collect();
                    assert_same(&$x.min_axis::<$axis>().to_vec(), &smallest);
                }
            )*};
        }
        along!(x; 0 1 2);
        along!(x.transpose(); 0 1 2);
        if !x.is_empty() {
            let all = x.transpose().to_vec();
            assert_eq!(x.transpose().argmax().item(), first_largest(&all) as i64);
            assert_eq!(x.transpose().argmin().item(), first_smallest(&all) as i64);
            assert_same(&[x.transpose().max().item()], &[all[first_largest(&all)]]);
        }
    }
}

/// A running sum of this many equal floats is wrong by one part in a hundred.
#[test]
fn long_sums_stay_exact() {
    fn check<S: Shape>(sums: Tensor<S>, count: f64) {
        let expected = count * f64::from(0.1_f32);
        for &sum in sums.iter() {
            let error = (f64::from(sum) / expected - 1.0).abs();
            assert!(error < 1e-6, "{sum} for {expected}: {error}");
        }
    }
    let x = Tensor::<shape![1000000], f32>::full(0.1);
    check(x.sum(), 1e6);
    check(x.reshape::<shape![200000, 5]>().sum_axis::<0>(), 2e5);
    let square = x.reshape::<shape![1000, 1000]>();
    check(square.sum_axis::<0>(), 1e3);
    check(square.transpose().sum_axis::<0>(), 1e3);
    check(square.transpose().sum(), 1e6);
    let matrices = x.reshape::<shape![10000, 10, 10]>().permute::<axes![2, 0, 1]>();
    check(matrices.sum_axis::<1>(), 1e4);
    check(Tensor::scalar(0.1_f32).expand::<shape![1000000]>().sum(), 1e6);
}

#[test]
fn a_large_mean_does_not_spoil_the_variance() {
    let x = tensor![1e4_f32, 1e4 + 1.0, 1e4 + 2.0, 1e4 + 3.0];
    assert_eq!(x.var().item(), 1.25);
    assert_eq!(x.var_with(1).item(), 5.0 / 3.0);
    assert_eq!(x.std_with(4).item(), f32::INFINITY);
    assert!(tensor![7.0].var_with(1).item().is_nan());
}

#[test]
fn the_sign_of_zero_stays() {
    assert!(tensor![-0.0_f32, -0.0].sum().item().is_sign_negative());
    assert!(tensor![[-0.0_f32], [-0.0]].sum_axis::<0>()[[0]].is_sign_negative());
    assert!(tensor![-0.0_f32, 0.0].sum().item().is_sign_positive());
    assert!(tensor![-0.0_f32, -0.0].cumsum::<0>()[[1]].is_sign_negative());
    assert!(Tensor::<shape![0]>::zeros().sum().item().is_sign_positive());
}

#[test]
fn softmax_of_infinities() {
    const INF: f32 = f32::INFINITY;
    let rows = tensor![[-INF, -INF], [0.0, -INF], [INF, 0.0], [f32::NAN, 0.0], [INF, INF]];
    for rows in [rows.softmax::<-1>(), rows.transpose().softmax::<0>().transpose()] {
        assert!(rows[[0, 0]].is_nan() && rows[[0, 1]].is_nan());
        assert_eq!((rows[[1, 0]], rows[[1, 1]]), (1.0, 0.0));
        assert!(rows[[2, 0]].is_nan() && rows[[3, 0]].is_nan() && rows[[3, 1]].is_nan());
    }
    let logarithms = rows.log_softmax::<-1>();
    assert_eq!((logarithms[[1, 0]], logarithms[[1, 1]]), (0.0, -INF));
    assert!(logarithms[[0, 0]].is_nan());
    let sums = rows.logsumexp_axis::<-1>();
    assert_eq!(sums.to_vec()[..3], [-INF, 0.0, INF]);
    assert!(sums[[3]].is_nan());
    assert_eq!(sums[[4]], INF);
    assert_eq!(tensor![1e4, 1e4].softmax::<0>(), tensor![0.5, 0.5]);
    assert_eq!(tensor![-1e4, -1e4].logsumexp().item(), -1e4 + 2.0_f64.ln());
}

#[test]
fn nothing_and_rank_0() {
    let none = Tensor::<shape![0, 3]>::zeros();
    assert_eq!(none.sum().item(), 0.0);
    assert_eq!(none.prod().item(), 1.0);
    assert!(
        none.mean().item().is_nan() && none.var().item().is_nan() && none.std().item().is_nan()
    );
    assert_eq!(none.logsumexp().item(), f32::NEG_INFINITY);
    assert_eq!(none.sum_axis::<0>(), tensor![0.0, 0.0, 0.0]);
    assert_eq!(none.prod_axis::<0>(), tensor![1.0, 1.0, 1.0]);
    assert!(none.mean_axis::<0>().iter().all(|mean| mean.is_nan()));
    assert!(none.var_axis::<0>().iter().all(|variance| variance.is_nan()));
    assert!(none.logsumexp_axis::<0>().iter().all(|&sum| sum == f32::NEG_INFINITY));
    assert_eq!(none.sum_axis::<1>(), Tensor::<shape![0]>::zeros());
    assert_eq!(none.max_axis::<1>(), Tensor::<shape![0]>::zeros());
    assert_eq!(none.argmin_axis::<1>(), Tensor::<shape![0], i64>::zeros());
    assert_eq!(none.softmax::<0>(), none);
    assert_eq!(none.log_softmax::<1>(), none);
    assert_eq!(none.cumsum::<0>(), none);
    let bools = Tensor::<shape![0, 2], bool>::zeros();
    assert!(bools.all().item() && !bools.any().item());
    assert_eq!(bools.all_axis::<0>(), tensor![true, true]);
    assert_eq!(bools.any_axis::<0>(), tensor![false, false]);

    let one = Tensor::scalar(2.5);
    assert_eq!(
        (one.sum(), one.prod(), one.mean(), one.max()),
        (one.clone(), one.clone(), one.clone(), one.clone())
    );
    assert_eq!((one.var().item(), one.std().item()), (0.0, 0.0));
    assert_eq!((one.argmax().item(), one.argmin().item()), (0, 0));
    assert_eq!(one.logsumexp(), one);
    assert!(Tensor::scalar(true).all().item());
}

#[test]
fn choosing_from_nothing_is_refused() {
    fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let panic = std::panic::catch_unwind(f).expect_err("this panics");
        panic.downcast_ref::<String>().expect("a formatted message").clone()
    }
    let none = Tensor::<_, i32>::zeros_with(shape![A(0), 3]);
    let x = none.clone();
    assert_eq!(
        message(move || _ = x.max_axis::<0>()),
        "`max_axis` along axis 0 (`A`), which has size 0: no element to choose"
    );
    let x = none.clone();
    assert_eq!(
        message(move || _ = x.argmin_axis_keepdims::<-2>()),
        "`argmin_axis_keepdims` along axis 0 (`A`), which has size 0: no element to choose"
    );
    let x = Tensor::<shape![3, 0]>::zeros();
    assert_eq!(
        message(move || _ = x.min_axis::<1>()),
        "`min_axis` along axis 1, which has size 0: no element to choose"
    );
    assert_eq!(
        message(move || _ = none.argmax()),
        "`argmax` of a tensor without elements: some axis has size 0"
    );
}
