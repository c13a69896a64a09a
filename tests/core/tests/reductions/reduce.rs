//! Reductions against nested loops, over random sizes, layouts and special values.
#![allow(clippy::type_complexity)] // Shapes are types, and these are written out.

use proptest::prelude::*;
use tensor_core::element::Number;
use tensor_core::{Axis, Float, Shape, Tensor, axes, axis, shape};

mod oracle;
mod special;

use oracle::{
    Random, additions, assert_near, assert_same, assert_sum, bits, exact_sum, first_largest,
    first_smallest, is_float, lines, random, sum_epsilon,
};

axis!(A);
axis!(B);
axis!(C);

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

/// Checks `(x - mean) / √(variance + epsilon)` of a line.
#[track_caller]
fn assert_standardized<T: Number>(found: &[T], line: &[T], epsilon: f64) {
    let [mean, variance, bound] = moments(line);
    let count = line.len() as f64;
    let size = line.iter().map(|x| x.to_f64().abs()).sum::<f64>() / count;
    let of_mean = sum_epsilon::<T>() * additions(line.len()) * size;
    let deviation = (variance + epsilon).sqrt();
    for (&found, x) in found.iter().zip(line) {
        let expected = (x.to_f64() - mean) / deviation;
        let rounded = sum_epsilon::<T>() * (4.0 + x.to_f64().abs() / deviation);
        let relative = bound / (variance + epsilon) + rounded;
        assert_near(found, expected, of_mean / deviation + expected.abs() * relative + rounded);
    }
}

/// Checks every reduction of floats along every axis, and over everything.
fn check_floats<X: Axis, Y: Axis, Z: Axis, T: Random + Float>(x: &Tensor<shape![X, Y, Z], T>) {
    macro_rules! along {
        ($($axis:literal)*) => {$(
            let lines = self::lines(x, $axis);
            let means = x.mean_axis::<$axis>().to_vec();
            let variances = x.var_axis::<$axis>().to_vec();
            let deviations = x.std_axis::<$axis>().to_vec();
            let corrected = x.var_axis_corrected::<$axis>(1).to_vec();
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
            let standardized = self::lines(&x.standardize::<$axis>(), $axis);
            let corrected_too = self::lines(&x.standardize_corrected::<$axis>(1), $axis);
            let layer_norm = self::lines(&x.layer_norm::<$axis>(0.5), $axis);
            let rms_norm = self::lines(&x.rms_norm::<$axis>(0.5), $axis);
            for (index, line) in lines.iter().enumerate() {
                let squares = exact_sum(line.iter().map(|x| x.to_f64() * x.to_f64()));
                let root = (squares / line.len() as f64 + 0.5).sqrt();
                for (&found, x) in rms_norm[index].iter().zip(line) {
                    let expected = x.to_f64() / root;
                    let bound = sum_epsilon::<T>() * (additions(line.len()) + 8.0);
                    assert_near(found, expected, bound * expected.abs() + 1e-36);
                }
                assert_standardized(&layer_norm[index], line, 0.5);
                let [_, variance, _] = moments(line);
                if variance > 1e-3 {
                    assert_standardized(&standardized[index], line, 0.0);
                    let more = variance / (line.len() as f64 - 1.0);
                    assert_standardized(&corrected_too[index], line, more);
                }
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
        let stretched = random::<_, $T>(shape![A($a), 1, C($c)], $seed).expand_shaped(shape);
        $check(&stretched);
        $check(&stretched.transpose());
        $check(&stretched.permute::<axes![1, 2, 0]>());
    };
}

/// Sizes at the edges of vectors, tiles and short rows, and zero: one axis may be long.
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
            #![proptest_config(cases(12))]
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

use half::{bf16, f16};

every_type! {
    reductions_of_f16: check_numbers of f16;
    reductions_of_bf16: check_numbers of bf16;
    means_and_the_like_of_f16: check_floats of f16;
    means_and_the_like_of_bf16: check_floats of bf16;
}

proptest! {
    #![proptest_config(cases(24))]
    #[test]
    fn reductions_of_bool([a, b, c] in sizes(), seed: u64, rare in 1..200u64) {
        let mut bits = bits(seed);
        let x = Tensor::from_fn_shaped(shape![A(a), B(b), C(c)], |[_, _, _]| !bits().is_multiple_of(rare));
        for x in [x.clone(), !x] {
            check_bools(&x);
            check_bools(&x.transpose());
            check_bools(&x.permute::<axes![1, 2, 0]>());
            check_bools(&x.any_axis_keepdims::<1>().expand_shaped(x.shape()));
        }
    }

    /// Floats with NaN and infinities: the first NaN is the largest and the smallest.
    #[test]
    fn extremes_with_nan([a, b, c] in sizes(), seed: u64, rare in 2..500u64) {
        let mut bits = bits(seed);
        let x = Tensor::from_fn_shaped(shape![A(a), B(b), C(c)], |[_, _, _]| match bits() % rare {
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
