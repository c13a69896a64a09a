//! Functions that exist as methods of tensors alone: powers and logarithms to other bases, and functions
//! of two numbers.

use tensor_core::{Tensor, axis};

use super::ulps;

axis!(Numbers);

type Vector<T> = Tensor<((), Numbers), T>;

/// Every `STEP`th float, as in `single_precision`.
fn sample() -> Vec<f32> {
    let step = std::env::var("STEP").map_or(10_007, |step| step.parse().expect("a whole number"));
    (0..=u32::MAX).step_by(step).map(f32::from_bits).collect()
}

fn worst(results: &Vector<f32>, exact: impl Iterator<Item = f64>) -> f64 {
    results.iter().zip(exact).map(|(&result, exact)| ulps(result, exact)).fold(0.0, f64::max)
}

#[test]
fn other_bases() {
    let numbers = sample();
    let x: Vector<f32> = numbers.iter().copied().collect();
    let of = |f: fn(f64) -> f64| numbers.iter().map(move |&x| f(f64::from(x)));
    assert!(worst(&x.log2(), of(f64::log2)) <= 0.51);
    assert!(worst(&x.log10(), of(f64::log10)) <= 0.51);
    assert!(worst(&x.exp2(), of(f64::exp2)) <= 0.51);
}

#[test]
fn exact_powers_of_the_bases() {
    let x: Vector<f64> = (-300..300).map(|n| f64::from(n).exp2()).collect();
    assert_eq!(x.log2().to_vec(), (-300..300).map(f64::from).collect::<Vec<_>>());
    let x: Vector<f64> = (0..22).map(|n| 10_f64.powi(n)).collect();
    assert_eq!(x.log10().to_vec(), (0..22).map(f64::from).collect::<Vec<_>>());
    let x: Vector<f32> = (-126..128).map(|n| n as f32).collect();
    assert_eq!(x.exp2().to_vec(), (-126..128).map(|n| 2_f32.powi(n)).collect::<Vec<_>>());
}

/// Pairs of floats from the whole range, some of them near each other.
fn pairs() -> (Vec<f32>, Vec<f32>) {
    let x = sample();
    let near = x.iter().map(|x| x * 1.5 + 1e-3).step_by(2);
    let far = x.iter().rev().copied().skip(1).step_by(2);
    let mut y = Vec::new();
    for (near, far) in near.zip(far) {
        y.extend([near, far]);
    }
    (x[..y.len()].to_vec(), y)
}

#[test]
fn hypotenuses_neither_overflow_nor_vanish() {
    let (x, y) = pairs();
    let exact = x.iter().zip(&y).map(|(&x, &y)| f64::from(x).hypot(f64::from(y)));
    let (a, b): (Vector<f32>, Vector<f32>) =
        (x.iter().copied().collect(), y.iter().copied().collect());
    assert!(worst(&a.hypot(&b), exact) <= 0.51);
    let scale = 600_f64.exp2();
    assert_eq!(Tensor::from(3.0 * scale).hypot(4.0 * scale).item(), 5.0 * scale);
    assert_eq!(Tensor::from(f64::INFINITY).hypot(f64::NAN).item(), f64::INFINITY);
}

#[test]
fn sums_of_exponentials_in_logarithms() {
    let exact = |x: f64, y: f64| {
        let (most, least) = if x > y { (x, y) } else { (y, x) };
        if x == y { x + 2_f64.ln() } else { most + (least - most).exp().ln_1p() }
    };
    let numbers: Vec<f32> = (-2000..2000).map(|n| n as f32 * 0.0513).collect();
    let x: Vector<f32> = numbers.iter().copied().collect();
    for shift in [0.0_f32, 1e-3, 0.5, 3.0, 40.0, -7.0] {
        let results = x.logaddexp(&(&x + shift));
        // Where the results pass 0, the error is that of the larger operand.
        let largest = numbers.iter().zip(results.iter()).map(|(&x, &result)| {
            let want = exact(f64::from(x), f64::from(x + shift));
            let unit = f64::from(x.abs().max((x + shift).abs()).max(1.0)) * f64::from(f32::EPSILON);
            (f64::from(result) - want).abs() / unit
        });
        let largest = largest.fold(0.0, f64::max);
        assert!(largest <= 1.5, "{shift}: {largest}");
    }
    let special = |x: f64, y: f64| Tensor::from(x).logaddexp(y).item();
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    assert_eq!(special(-infinity, -infinity), -infinity);
    assert_eq!(special(infinity, infinity), infinity);
    assert_eq!(special(infinity, -infinity), infinity);
    assert_eq!(special(-infinity, 2.0), 2.0);
    assert_eq!(special(1e300, 1e300), 1e300);
    assert!(special(nan, 1.0).is_nan() && special(-infinity, nan).is_nan());
}
