//! Functions that take one number at a time: ours and those of `std`, and integer powers.

use tensor_core::Float;
use tensor_core::element::Number;

use super::ulps;

/// A function: its name, ours, what is exact, and the bound, in ulps.
type Case = (&'static str, fn(f32) -> f32, fn(f64) -> f64, f64);

/// `libm` has the C functions that `std` computes by other formulas.
const CASES: &[Case] = &[
    ("asinh", Float::asinh, libm::asinh, 0.51),
    ("acosh", Float::acosh, |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }, 0.51),
    ("atanh", Float::atanh, libm::atanh, 0.51),
    ("tan", Float::tan, f64::tan, 2.0),
    ("asin", Float::asin, f64::asin, 2.0),
    ("acos", Float::acos, f64::acos, 2.0),
    ("atan", Float::atan, f64::atan, 2.0),
    ("sinh", Float::sinh, f64::sinh, 2.0),
    ("cosh", Float::cosh, f64::cosh, 2.0),
    ("sqrt", Float::sqrt, f64::sqrt, 0.51),
    ("rsqrt", Float::rsqrt, |x| 1.0 / x.sqrt(), 1.5),
    ("reciprocal", Float::reciprocal, |x| 1.0 / x, 0.51),
];

/// `STEP` as in `single_precision`.
#[test]
fn single_precision_one_by_one() {
    let step: u32 =
        std::env::var("STEP").map_or(10_007, |step| step.parse().expect("a whole number"));
    let mut wrong = Vec::new();
    for &(name, ours, exact, bound) in CASES {
        let half = |mut bits: u32| {
            let (mut worst, end) = ((0.0, 0.0), bits | 0x7fff_ffff);
            loop {
                let x = f32::from_bits(bits);
                let error = ulps(ours(x), exact(f64::from(x)));
                if error > worst.0 {
                    worst = (error, x);
                }
                match bits.checked_add(step) {
                    Some(next) if next <= end => bits = next,
                    _ => return worst,
                }
            }
        };
        let (error, x) = std::thread::scope(|scope| {
            let positive = scope.spawn(|| half(0));
            let negative = half(1 << 31);
            let positive = positive.join().expect("nothing panics");
            if positive.0 > negative.0 { positive } else { negative }
        });
        println!("{name:10} {error:.3} ulp at {x:e}");
        if error > bound {
            wrong.push(format!("{name}: {error} ulp at {x:e}, not {bound}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Equal, with the sign of zeros, or NaN twice.
fn same(x: f64, y: f64) -> bool {
    x == y && x.is_sign_negative() == y.is_sign_negative() || x.is_nan() && y.is_nan()
}

/// `[x, exact]` for `f32` and `f64`, which are 0, infinite or NaN at the same numbers; and for `-x`, odd
/// functions have `-exact`.
#[test]
fn special_values() {
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    /// A name, the function for `f64` and `f32`, and values.
    type Special = (&'static str, fn(f64) -> f64, fn(f32) -> f32, bool, &'static [[f64; 2]]);
    let cases: [Special; 15] = [
        (
            "asinh",
            Float::asinh,
            Float::asinh,
            true,
            &[[0.0, 0.0], [INFINITY, INFINITY], [NAN, NAN]],
        ),
        (
            "acosh",
            Float::acosh,
            Float::acosh,
            false,
            &[
                [1.0, 0.0],
                [0.99, NAN],
                [0.0, NAN],
                [-1.0, NAN],
                [-2.0, NAN],
                [-INFINITY, NAN],
                [INFINITY, INFINITY],
                [NAN, NAN],
            ],
        ),
        (
            "atanh",
            Float::atanh,
            Float::atanh,
            true,
            &[[0.0, 0.0], [1.0, INFINITY], [1.01, NAN], [INFINITY, NAN], [NAN, NAN]],
        ),
        (
            "ln_1p",
            Float::ln_1p,
            Float::ln_1p,
            false,
            &[
                [-0.0, -0.0],
                [-1.0, -INFINITY],
                [-1.01, NAN],
                [-INFINITY, NAN],
                [INFINITY, INFINITY],
            ],
        ),
        (
            "exp_m1",
            Float::exp_m1,
            Float::exp_m1,
            false,
            &[
                [-0.0, -0.0],
                [-INFINITY, -1.0],
                [-800.0, -1.0],
                [800.0, INFINITY],
                [INFINITY, INFINITY],
            ],
        ),
        (
            "sinh",
            Float::sinh,
            Float::sinh,
            true,
            &[[0.0, 0.0], [800.0, INFINITY], [INFINITY, INFINITY]],
        ),
        (
            "cosh",
            Float::cosh,
            Float::cosh,
            false,
            &[[-0.0, 1.0], [-800.0, INFINITY], [-INFINITY, INFINITY], [INFINITY, INFINITY]],
        ),
        ("tanh", Float::tanh, Float::tanh, true, &[[0.0, 0.0], [800.0, 1.0], [INFINITY, 1.0]]),
        (
            "softplus",
            Float::softplus,
            Float::softplus,
            false,
            &[[-INFINITY, 0.0], [-800.0, 0.0], [800.0, 800.0], [INFINITY, INFINITY], [NAN, NAN]],
        ),
        (
            "sigmoid",
            Float::sigmoid,
            Float::sigmoid,
            false,
            &[
                [-INFINITY, 0.0],
                [-800.0, 0.0],
                [0.0, 0.5],
                [800.0, 1.0],
                [INFINITY, 1.0],
                [NAN, NAN],
            ],
        ),
        (
            "erf",
            Float::erf,
            Float::erf,
            true,
            &[[0.0, 0.0], [30.0, 1.0], [INFINITY, 1.0], [NAN, NAN]],
        ),
        (
            "ln",
            Float::ln,
            Float::ln,
            false,
            &[
                [0.0, -INFINITY],
                [-0.0, -INFINITY],
                [1.0, 0.0],
                [-1.0, NAN],
                [-INFINITY, NAN],
                [INFINITY, INFINITY],
            ],
        ),
        (
            "sqrt",
            Float::sqrt,
            Float::sqrt,
            false,
            &[[-0.0, -0.0], [-1.0, NAN], [INFINITY, INFINITY]],
        ),
        (
            "rsqrt",
            Float::rsqrt,
            Float::rsqrt,
            false,
            &[[0.0, INFINITY], [-1.0, NAN], [INFINITY, 0.0]],
        ),
        ("tan", Float::tan, Float::tan, true, &[[0.0, 0.0], [INFINITY, NAN], [NAN, NAN]]),
    ];
    for (name, double, single, is_odd, values) in cases {
        let negative = values.iter().map(|[x, exact]| [-x, -exact]).filter(|_| is_odd);
        for [x, exact] in values.iter().copied().chain(negative) {
            let (result, half) = (double(x), f64::from(single(x as f32)));
            assert!(same(result, exact), "{name} of {x:e} is {result:e}, not {exact:e}");
            assert!(same(half, exact), "{name} of {x:e} is {half:e} in f32, not {exact:e}");
        }
    }
    // Numbers that are their own images: what differs is less than a rounding error.
    for function in
        [Float::asinh as fn(f64) -> f64, Float::atanh, Float::tanh, Float::sinh, Float::ln_1p]
    {
        for x in [f64::from_bits(1), 1e-310, f64::MIN_POSITIVE, 1e-200] {
            assert_eq!((function(x), function(-x)), (x, -x));
        }
    }
    assert_eq!(Float::asinh(f64::MAX), 710.4758600739439);
    assert_eq!(Float::acosh(f64::MAX), 710.4758600739439);
    assert_eq!(Float::asinh(f32::MAX), 89.415985);
}

/// The arguments' quadrants as C's `atan2` has them.
#[test]
fn quadrants() {
    use std::f64::consts::PI;
    for (y, x, exact) in [
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 0.0),
        (0.0, -0.0, PI),
        (0.0, -1.0, PI),
        (1.0, 0.0, PI / 2.0),
        (1.0, -0.0, PI / 2.0),
        (1.0, f64::INFINITY, 0.0),
        (1.0, f64::NEG_INFINITY, PI),
        (f64::INFINITY, 1.0, PI / 2.0),
        (f64::INFINITY, f64::INFINITY, PI / 4.0),
        (f64::INFINITY, f64::NEG_INFINITY, 3.0 * PI / 4.0),
        (1e-310, 1e-310, PI / 4.0),
        (f64::MAX, f64::MAX, PI / 4.0),
        (f64::NAN, 1.0, f64::NAN),
    ] {
        for (y, exact) in [(y, exact), (-y, -exact)] {
            let result = Float::atan2(y, x);
            assert!(same(result, exact), "atan2 of {y}, {x} is {result}, not {exact}");
        }
    }
}

/// The signs of rests and quotients, as NumPy has them.
#[test]
fn rests() {
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    for (x, y, quotient, rest) in [
        (7.0, 3.0, 2.0, 1.0),
        (-7.0, 3.0, -3.0, 2.0),
        (7.0, -3.0, -3.0, -2.0),
        (-7.0, -3.0, 2.0, -1.0),
        (6.0, -3.0, -2.0, -0.0),
        (-6.0, 3.0, -2.0, 0.0),
        (0.0, -3.0, -0.0, -0.0),
        (-0.0, 3.0, -0.0, 0.0),
        (1.0, INFINITY, 0.0, 1.0),
        (-1.0, INFINITY, -1.0, INFINITY),
        (1.0, -INFINITY, -1.0, -INFINITY),
        (INFINITY, 2.0, NAN, NAN),
        (1.0, 0.0, INFINITY, NAN),
        (-1.0, 0.0, -INFINITY, NAN),
        (0.0, 0.0, NAN, NAN),
        (NAN, 1.0, NAN, NAN),
        (1.0, NAN, NAN, NAN),
        (1e308, 1e-308, INFINITY, 1e308 % 1e-308),
        (1.0, 0.1, 9.0, 1.0 % 0.1),
    ] {
        let (q, r) = (Number::floor_divide(x, y), Number::remainder(x, y));
        assert!(same(q, quotient), "{x} // {y} is {q}, not {quotient}");
        assert!(same(r, rest), "{x} % {y} is {r}, not {rest}");
    }
}

/// Powers of every size, subnormal results too.
#[test]
fn integer_powers() {
    let powers = (-300..300).chain([i32::MIN, i32::MIN + 1, -1_048_577, 1_048_577, i32::MAX]);
    let mut worst = (0.0, 0.0, 0);
    for power in powers {
        let end = 150.0 / f64::from(power).abs().max(1.0);
        for k in -40..=40 {
            // Results from 2^-150 to 2^150.
            let x = (end * f64::from(k) / 40.0).exp2() as f32;
            for x in [x, -x] {
                let exact = libm::pow(f64::from(x), f64::from(power));
                let error = ulps(Number::powi(x, power), exact);
                if error > worst.0 {
                    worst = (error, x, power);
                }
            }
        }
    }
    println!("powi       {:.3} ulp at {:e}, {}", worst.0, worst.1, worst.2);
    assert!(worst.0 <= 0.52, "{worst:?}");
}

/// C's `pow` has these, which needs no whole powers in `f32`.
#[test]
fn special_integer_powers() {
    let special = [0.0, 1.0, 0.5, 3.0, f64::MIN_POSITIVE, 1e-310, 1e200, f64::MAX, f64::INFINITY];
    for x in special.iter().flat_map(|&x| [x, -x]).chain([f64::NAN]) {
        for power in [0, 1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, i32::MAX, i32::MIN, i32::MIN + 1] {
            let (result, exact) = (Number::powi(x, power), libm::pow(x, f64::from(power)));
            let near = (result - exact).abs() <= 2.0 * f64::EPSILON * exact.abs();
            let same = same(result, exact) || exact.is_finite() && exact != 0.0 && near;
            assert!(same, "{x:e} to {power} is {result:e}, not {exact:e}");
            let (result, exact) = (
                Number::powi(x as f32, power),
                libm::pow(f64::from(x as f32), f64::from(power)) as f32,
            );
            assert!(
                self::same(result.into(), exact.into()),
                "{x:e} to {power} is {result:e} in f32, not {exact:e}"
            );
        }
    }
    // Subnormal results.
    assert_eq!(Number::powi(2.0_f32.powi(70), -2), f32::from_bits(1 << 9));
    assert_eq!(Number::powi(2_f64.powi(520), -2), f64::from_bits(1 << 34));
    assert_eq!(Number::powi(2_f64.powi(350), -3), f64::from_bits(1 << 24));
}
