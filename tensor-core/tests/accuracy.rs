//! How far functions are from the exact values: over all floats for `f32`, by default a sample of
//! them, beside values of `f64`, and for `f64` beside a table of 40 digits.
//!
//! What one number gives is compared with what the loops give, bit for bit: the test is compiled for
//! the least machine, the loops for this one.
//!
//! `STEP=1 cargo test --release -p tensor-core --test accuracy -- --nocapture` asks all 2^32 floats
//! and prints the largest errors.

use std::thread;

use tensor_core::{Float, Tensor, axis};

axis!(Count);

/// The distance of a result from the exact value, in units of the last place of a float there.
fn ulps(result: f32, exact: f64) -> f64 {
    if exact.is_nan() || result.is_nan() {
        return if exact.is_nan() && result.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let ulp = 2_f64.powi(exponent(exact).clamp(-126, 127) - 23);
    // Infinity is what follows the largest float.
    let end = 2_f64.powi(128);
    (f64::from(result).clamp(-end, end) - exact.clamp(-end, end)).abs() / ulp
}

fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// One function: ours, what is exact, and the bound that the documentation states, in ulps.
struct Case {
    name: &'static str,
    ours: fn(&Tensor<((), Count), f32>) -> Tensor<((), Count), f32>,
    one: fn(f32) -> f32,
    exact: fn(f64) -> f64,
    bound: f64,
}

fn sigmoid(x: f64) -> f64 {
    if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) }
}

/// `x · y` that is 0 where `y` is.
fn times(x: f64, y: f64) -> f64 {
    if y == 0.0 { y.copysign(x) } else { x * y }
}

fn gelu_tanh(x: f64) -> f64 {
    let v = 2.0 * (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
    times(x, sigmoid(v))
}

fn gelu(x: f64) -> f64 {
    times(x, libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0)
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + if x.is_nan() { x } else { (-x.abs()).exp().ln_1p() }
}

const CASES: &[Case] = &[
    Case { name: "exp", ours: |x| x.exp(), one: Float::exp, exact: f64::exp, bound: 1.1 },
    Case {
        name: "exp_m1",
        ours: |x| x.exp_m1(),
        one: Float::exp_m1,
        exact: f64::exp_m1,
        bound: 2.0,
    },
    Case { name: "ln", ours: |x| x.ln(), one: Float::ln, exact: f64::ln, bound: 1.1 },
    Case { name: "ln_1p", ours: |x| x.ln_1p(), one: Float::ln_1p, exact: f64::ln_1p, bound: 1.1 },
    Case { name: "sin", ours: |x| x.sin(), one: Float::sin, exact: f64::sin, bound: 0.51 },
    Case { name: "cos", ours: |x| x.cos(), one: Float::cos, exact: f64::cos, bound: 0.51 },
    Case { name: "tanh", ours: |x| x.tanh(), one: Float::tanh, exact: f64::tanh, bound: 1.4 },
    Case { name: "erf", ours: |x| x.erf(), one: Float::erf, exact: libm::erf, bound: 0.51 },
    Case {
        name: "sigmoid",
        ours: |x| x.sigmoid(),
        one: Float::sigmoid,
        exact: sigmoid,
        bound: 2.0,
    },
    Case { name: "gelu", ours: |x| x.gelu(), one: Float::gelu, exact: gelu, bound: 0.51 },
    Case {
        name: "gelu_tanh",
        ours: |x| x.gelu_tanh(),
        one: Float::gelu_tanh,
        exact: gelu_tanh,
        bound: 2.07,
    },
    Case {
        name: "silu",
        ours: |x| x.silu(),
        one: Float::silu,
        exact: |x| times(x, sigmoid(x)),
        bound: 2.0,
    },
    Case {
        name: "softplus",
        ours: |x| x.softplus(),
        one: Float::softplus,
        exact: softplus,
        bound: 2.0,
    },
];

/// The largest error of a case over every `step`th float: the error, and where it is.
fn worst(case: &Case, step: u64) -> (f64, f32) {
    let half = |range: std::ops::Range<u64>| {
        let mut worst = (0.0, 0.0);
        let mut bits = range.start;
        while bits < range.end {
            let x: Vec<f32> = (0..4096)
                .map(|k| bits + k * step)
                .filter(|&bits| bits < range.end)
                .map(|bits| f32::from_bits(bits as u32))
                .collect();
            bits += 4096 * step;
            let count = x.len();
            let x = Tensor::from_vec_with(((), Count(count)), x).expect("as many as counted");
            let results = (case.ours)(&x);
            for (&x, &result) in x.iter().zip(results.iter()) {
                let one = (case.one)(x);
                assert!(
                    one.to_bits() == result.to_bits() || one.is_nan() && result.is_nan(),
                    "{} of {x:e} alone is {one:e}, in a loop {result:e}",
                    case.name
                );
                let error = ulps(result, (case.exact)(f64::from(x)));
                if error > worst.0 {
                    worst = (error, x);
                }
            }
        }
        worst
    };
    thread::scope(|scope| {
        let positive = scope.spawn(|| half(0..1 << 31));
        let negative = half(1 << 31..1 << 32);
        let positive = positive.join().expect("nothing panics");
        if positive.0 > negative.0 { positive } else { negative }
    })
}

#[test]
fn single_precision() {
    let step = std::env::var("STEP").map_or(10_007, |step| step.parse().expect("a number"));
    let mut wrong = Vec::new();
    for case in CASES {
        let (error, x) = worst(case, step);
        println!("{:10} {error:.3} ulp at {x:e}", case.name);
        if error > case.bound {
            wrong.push(format!("{}: {error} ulp at {x:e}, not {}", case.name, case.bound));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn powers() {
    let mut worst = (0.0, 0.0, 0.0);
    let mut state = 1_u64;
    for round in 0..2_000_000 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let [a, b] = [(state >> 32) as u32, state as u32];
        let x = f32::from_bits(a);
        // Every other power is a whole number, or such that the result is in reach.
        let y = match round % 3 {
            0 => (b % 64) as f32 - 32.0,
            1 => (b as f32 / 2_f32.powi(31) - 1.0) * 100.0 / x.abs().log2(),
            _ => f32::from_bits(b),
        };
        let error = ulps(Float::pow(x, y), f64::from(x).powf(f64::from(y)));
        if error > worst.0 {
            worst = (error, x, y);
        }
    }
    println!("pow        {:.3} ulp at {:e}, {:e}", worst.0, worst.1, worst.2);
    assert!(worst.0 <= 0.51, "{worst:?}");
    let special = [0.0, 1.0, 0.5, 2.0, 3.0, 1e-40, 1e30, 8388607.0, 16777216.0, f32::INFINITY];
    let special = special.iter().flat_map(|&x| [x, -x]).chain([f32::NAN]).collect::<Vec<_>>();
    for &x in &special {
        for &y in &special {
            let (x64, y64) = (f64::from(x), f64::from(y));
            let (ours, std) = (Float::pow(x64, y64), x64.powf(y64));
            let ulp = if std.is_finite() { std.abs() * f64::EPSILON } else { 0.0 };
            assert!(
                ours == std && ours.is_sign_negative() == std.is_sign_negative()
                    || (ours - std).abs() <= ulp
                    || ours.is_nan() && std.is_nan(),
                "{x64:e} to {y64:e}: {ours:e}, not {std:e}"
            );
            let (ours, std) = (Float::pow(x, y), x.powf(y));
            assert!(
                ours == std && ours.is_sign_negative() == std.is_sign_negative()
                    || ours.is_nan() && std.is_nan(),
                "{x:e} to {y:e}: {ours:e}, not {std:e}"
            );
        }
    }
}

/// What is exact at some numbers, from `tests/accuracy/generate.py`: a name, the bits of the number
/// and those of the nearest `f64` to what is exact, and how far that is from it, in ulps.
const DOUBLES: &str = include_str!("accuracy/doubles.txt");

/// What the documentation states, in ulps.
const BOUNDS: &[(&str, f64)] = &[
    ("exp", 1.1),
    ("exp_m1", 2.0),
    ("ln", 0.85),
    ("ln_1p", 0.85),
    ("tanh", 1.4),
    ("sigmoid", 2.0),
    ("silu", 2.0),
    ("softplus", 2.0),
    ("gelu_tanh", 2.0),
    ("gelu", 2.0),
    ("erf", 1.6),
    ("sin", 0.85),
    ("cos", 0.85),
    ("pow", 0.85),
];

#[test]
fn double_precision() {
    let mut worst = std::collections::BTreeMap::new();
    for line in DOUBLES.lines() {
        let mut parts = line.split(' ');
        let mut part = || parts.next().expect("four parts");
        let name = part();
        // The number, or two of them.
        let mut numbers = part()
            .split(',')
            .map(|bits| f64::from_bits(u64::from_str_radix(bits, 16).expect("bits")));
        let (x, y) = (numbers.next().expect("a number"), numbers.next().unwrap_or(0.0));
        let exact = f64::from_bits(u64::from_str_radix(part(), 16).expect("bits"));
        let above: f64 = part().parse().expect("a number");
        // Enough for a whole vector.
        let many = Tensor::from_vec_with(((), Count(16)), vec![x; 16]).expect("16");
        macro_rules! both {
            ($function:ident) => {
                (Float::$function(x), many.$function())
            };
        }
        let (one, all) = match name {
            "exp" => both!(exp),
            "exp_m1" => both!(exp_m1),
            "ln" => both!(ln),
            "ln_1p" => both!(ln_1p),
            "tanh" => both!(tanh),
            "sigmoid" => both!(sigmoid),
            "silu" => both!(silu),
            "softplus" => both!(softplus),
            "gelu_tanh" => both!(gelu_tanh),
            "gelu" => both!(gelu),
            "erf" => both!(erf),
            "sin" => both!(sin),
            "cos" => both!(cos),
            "pow" => (Float::pow(x, y), many.pow(&Tensor::<(), f64>::from(y))),
            _ => panic!("there is no function {name}"),
        };
        let result = *all.iter().next().expect("one of 16");
        assert!(
            one.to_bits() == result.to_bits() || one.is_nan() && result.is_nan(),
            "{name} of {x:e} alone is {one:e}, in a loop {result:e}"
        );
        let error = if exact.is_nan() || exact.is_infinite() || result.is_nan() {
            let same = exact == result || exact.is_nan() && result.is_nan();
            if same { 0.0 } else { f64::INFINITY }
        } else {
            let ulp = 2_f64.powi(exponent(exact).max(-1022)) * f64::EPSILON;
            ((result - exact) / ulp - above).abs()
        };
        let entry = worst.entry(name).or_insert((0.0, 0.0));
        if error > entry.0 {
            *entry = (error, x);
        }
    }
    println!("f64: {worst:#?}");
    assert_eq!(worst.len(), BOUNDS.len());
    for (name, (error, x)) in worst {
        let bound = BOUNDS.iter().find(|bound| bound.0 == name).expect("a bound").1;
        assert!(error <= bound, "{name}: {error} ulp at {x:e}");
    }
}
