//! The errors of functions: for `f32` over all floats, by default over a sample of them, compared
//! with `f64`; for `f64` compared with a table of 40 digits.
//!
//! Both arithmetics are measured, with fused multiply-adds and without. What the loops give is compared
//! bit for bit with that of the two that this machine has.
//!
//! `STEP=1 cargo test --release -p core-tests --test elements accuracy -- --nocapture` tests all 2^32
//! floats and prints the largest errors.

mod by_method;
mod one_by_one;

use std::thread;

use tensor_core::element::{Isa, Number};
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

/// The instruction set of this machine's loops.
fn isa() -> Isa {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        return Isa::FMA;
    }
    Isa::BASELINE
}

/// `f` of all numbers, compiled with fused multiply-adds where the CPU has them.
fn fused(x: &[f32], f: impl Fn(f32) -> f32) -> Vec<f32> {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn avx2(x: &[f32], f: impl Fn(f32) -> f32) -> Vec<f32> {
            x.iter().map(|&x| f(x)).collect()
        }

        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the CPU has the features that the function is compiled for.
            return unsafe { avx2(x, f) };
        }
    }
    x.iter().map(|&x| f(x)).collect()
}

/// One function: ours, what is exact, and the bound that the documentation states, in ulps.
struct Case {
    name: &'static str,
    loops: fn(&Tensor<((), Count), f32>) -> Tensor<((), Count), f32>,
    fused: fn(&[f32]) -> Vec<f32>,
    plain: fn(&[f32]) -> Vec<f32>,
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

/// The result of a function that gives 0 for subnormal results of large arguments.
fn normal_or_zero(x: f64, result: f64) -> f64 {
    if x < -1.0 && result.abs() < f64::from(f32::MIN_POSITIVE) { -0.0 } else { result }
}

fn gelu_tanh(x: f64) -> f64 {
    let v = 2.0 * (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
    normal_or_zero(x, times(x, sigmoid(v)))
}

fn gelu(x: f64) -> f64 {
    normal_or_zero(x, times(x, libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0))
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + if x.is_nan() { x } else { (-x.abs()).exp().ln_1p() }
}

macro_rules! cases {
    ($($name:ident $with:ident: $exact:expr, $bound:literal;)*) => {
        const CASES: &[Case] = &[$(
            Case {
                name: stringify!($name),
                loops: |x| x.$name(),
                fused: |x| fused(x, #[inline(always)] |x| x.$with(Isa::FMA)),
                plain: |x| x.iter().map(|x| x.$with(Isa::NO_FMA)).collect(),
                exact: $exact,
                bound: $bound,
            },
        )*];
    };
}

cases! {
    exp exp_isa: f64::exp, 1.1;
    exp_m1 exp_m1_isa: f64::exp_m1, 2.0;
    ln ln_isa: f64::ln, 1.0;
    ln_1p ln_1p_isa: f64::ln_1p, 1.0;
    sin sin_isa: f64::sin, 0.51;
    cos cos_isa: f64::cos, 0.51;
    tanh tanh_isa: f64::tanh, 1.5;
    erf erf_isa: libm::erf, 0.51;
    sigmoid sigmoid_isa: sigmoid, 2.0;
    gelu gelu_isa: gelu, 0.51;
    gelu_tanh gelu_tanh_isa: gelu_tanh, 2.05;
    silu silu_isa: |x| times(x, sigmoid(x)), 2.0;
    softplus softplus_isa: softplus, 2.0;
}

/// The same bits, or NaN twice.
fn same(x: f32, y: f32) -> bool {
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}

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
            let (fused, plain) = ((case.fused)(&x), (case.plain)(&x));
            let count = x.len();
            let x = Tensor::from_vec_shaped(((), Count(count)), x).expect("as many as counted");
            let loops = (case.loops)(&x);
            let here = if isa() == Isa::FMA { &fused } else { &plain };
            for (index, (&x, &result)) in x.iter().zip(loops.iter()).enumerate() {
                let one = here[index];
                let name = case.name;
                assert!(same(one, result), "{name} of {x:e} is {one:e}, in a loop {result:e}");
                let exact = (case.exact)(f64::from(x));
                let error = ulps(fused[index], exact).max(ulps(plain[index], exact));
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

/// Whether vectors leave a rest, or there are too few elements for one, changes no bit.
#[test]
fn any_length() {
    for case in CASES {
        for count in 1..70 {
            let x: Vec<f32> = (0..count).map(|i| (i as f32 - 30.0) * 0.37).collect();
            let fused_here = isa() == Isa::FMA;
            let expected = if fused_here { (case.fused)(&x) } else { (case.plain)(&x) };
            let x = Tensor::from_vec_shaped(((), Count(count)), x).expect("as many as counted");
            for (&one, &result) in expected.iter().zip((case.loops)(&x).iter()) {
                assert!(same(one, result), "{}: {one:e}, of {count} {result:e}", case.name);
            }
        }
    }
}

#[test]
fn powers() {
    let mut worst = (0.0, 0.0, 0.0);
    let mut state = 1_u64;
    for round in 0..2_000_000 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let [a, b] = [(state >> 32) as u32, state as u32];
        let x = f32::from_bits(a);
        // Every other power is an integer, or such that the result is in reach.
        let y = match round % 3 {
            0 => (b % 64) as f32 - 32.0,
            1 => (b as f32 / 2_f32.powi(31) - 1.0) * 100.0 / x.abs().log2(),
            _ => f32::from_bits(b),
        };
        for with in [Isa::NO_FMA, Isa::FMA] {
            let error = ulps(x.pow_isa(y, with), f64::from(x).powf(f64::from(y)));
            if error > worst.0 {
                worst = (error, x, y);
            }
        }
    }
    println!("pow        {:.3} ulp at {:e}, {:e}", worst.0, worst.1, worst.2);
    assert!(worst.0 <= 0.51, "{worst:?}");
    let special = [0.0, 1.0, 0.5, 2.0, 3.0, 1e-40, 1e30, 8388607.0, 16777216.0, f32::INFINITY];
    let special = special.iter().flat_map(|&x| [x, -x]).chain([f32::NAN]).collect::<Vec<_>>();
    for &x in &special {
        for &y in &special {
            for with in [Isa::NO_FMA, Isa::FMA] {
                let (x64, y64) = (f64::from(x), f64::from(y));
                let (ours, std) = (x64.pow_isa(y64, with), x64.powf(y64));
                let ulp = if std.is_finite() { std.abs() * f64::EPSILON } else { 0.0 };
                assert!(
                    ours == std && ours.is_sign_negative() == std.is_sign_negative()
                        || (ours - std).abs() <= ulp
                        || ours.is_nan() && std.is_nan(),
                    "{x64:e} to {y64:e}: {ours:e}, not {std:e}"
                );
                let (ours, std) = (x.pow_isa(y, with), x.powf(y));
                assert!(
                    ours == std && ours.is_sign_negative() == std.is_sign_negative()
                        || ours.is_nan() && std.is_nan(),
                    "{x:e} to {y:e}: {ours:e}, not {std:e}"
                );
            }
        }
    }
}

/// What is exact at some numbers, from `tests/accuracy/generate.py`: a name, the bits of the number
/// and those of the nearest `f64` to what is exact, and how far that is from it, in ulps.
const DOUBLES: &str = include_str!("accuracy/doubles.txt");

/// The documented error, in ulps.
const BOUNDS: &[(&str, f64)] = &[
    ("exp", 1.1),
    ("exp_m1", 1.6),
    ("ln", 0.85),
    ("ln_1p", 0.85),
    ("tanh", 1.5),
    ("sigmoid", 1.8),
    ("silu", 1.8),
    ("softplus", 1.8),
    ("gelu_tanh", 1.8),
    ("gelu", 1.8),
    ("erf", 1.3),
    ("sin", 0.85),
    ("cos", 0.85),
    ("pow", 0.85),
    ("asinh", 1.6),
    ("acosh", 1.6),
    ("atanh", 1.0),
    ("powi", 2.0),
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
        let many = Tensor::from_vec_shaped(((), Count(16)), vec![x; 16]).expect("16");
        macro_rules! ways {
            ($function:ident $with:ident $(, $y:ident)?) => {{
                let [fused, plain] = [Isa::FMA, Isa::NO_FMA]
                    .map(|with| x.$with($($y,)? with));
                $(let $y = &Tensor::<(), f64>::from($y);)?
                (fused, plain, many.$function($($y)?))
            }};
        }
        let (fused, plain, loops) = match name {
            "exp" => ways!(exp exp_isa),
            "exp_m1" => ways!(exp_m1 exp_m1_isa),
            "ln" => ways!(ln ln_isa),
            "ln_1p" => ways!(ln_1p ln_1p_isa),
            "tanh" => ways!(tanh tanh_isa),
            "sigmoid" => ways!(sigmoid sigmoid_isa),
            "silu" => ways!(silu silu_isa),
            "softplus" => ways!(softplus softplus_isa),
            "gelu_tanh" => ways!(gelu_tanh gelu_tanh_isa),
            "gelu" => ways!(gelu gelu_isa),
            "erf" => ways!(erf erf_isa),
            "sin" => ways!(sin sin_isa),
            "cos" => ways!(cos cos_isa),
            "pow" => ways!(pow pow_isa, y),
            "asinh" => (Float::asinh(x), Float::asinh(x), many.asinh()),
            "acosh" => (Float::acosh(x), Float::acosh(x), many.acosh()),
            "atanh" => (Float::atanh(x), Float::atanh(x), many.atanh()),
            "powi" => (Number::powi(x, y as i32), Number::powi(x, y as i32), many.powi(y as i32)),
            _ => panic!("there is no function {name}"),
        };
        let one = if isa() == Isa::FMA { fused } else { plain };
        let in_loop = *loops.iter().next().expect("one of 16");
        assert!(
            one.to_bits() == in_loop.to_bits() || one.is_nan() && in_loop.is_nan(),
            "{name} of {x:e} is {one:e}, in a loop {in_loop:e}"
        );
        let error = |result: f64| {
            if exact.is_nan() || exact.is_infinite() || result.is_nan() {
                let same = exact == result || exact.is_nan() && result.is_nan();
                return if same { 0.0 } else { f64::INFINITY };
            }
            let ulp = 2_f64.powi(exponent(exact).max(-1022)) * f64::EPSILON;
            ((result - exact) / ulp - above).abs()
        };
        let error = error(fused).max(error(plain));
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
