//! Element-wise functions, compared with the roofline.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench functions
//! ```
//!
//! The limit of a function of one million floats is the larger of two times, measured in the same
//! run: that of moving its bytes, and that of its floating-point operations (16 an element for
//! `exp`, 20 for `tanh`, 30 for the gelu chain) at the measured peak of fused multiply-adds. Every
//! way runs once in each of many rounds; the table gives medians.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;

use multiversion::multiversion;
use tensor_core::{Float, Tensor, shape, zip_with3};

mod measure;

use measure::median;
use measure::roofline::Peak;

const COUNT: usize = 1 << 20;
const ROUNDS: usize = 301;

/// `x = y`, into memory that is there, in the widest moves.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn negate(x: &mut [f32], y: &[f32]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = -y;
    }
}

/// The median of every way in nanoseconds, all interleaved.
fn medians(ways: &mut [(&str, &mut dyn FnMut())]) -> Vec<f64> {
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for ((_, work), times) in ways.iter_mut().zip(&mut times) {
            let start = Instant::now();
            work();
            times.push(start.elapsed().as_nanos() as f64);
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[ROUNDS / 2]
        })
        .collect()
}

/// `x` by std, as a loop over the numbers.
fn each(x: &[f32], out: &mut [f32], f: impl Fn(f32) -> f32) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = f(*x);
    }
}

fn main() {
    let numbers: Vec<f32> = (0..COUNT).map(|i| (i % 977) as f32 / 61.0 - 8.0).collect();
    let x = Tensor::<shape![1_048_576]>::from_vec(numbers.clone()).expect("as many numbers");
    let x64 = x.cast::<f64>();
    let (w, b) = (&x.map(|x| x * 0.125), Tensor::<()>::from(0.25_f32));
    let grid = x.reshape::<shape![1024, 1024]>();
    let row = Tensor::<shape![1024]>::from_vec(numbers[..1024].to_vec()).expect("as many numbers");
    let (grid64, row64) = (grid.cast::<f64>(), row.cast::<f64>());
    let peak = Peak::measured::<f32>();
    let mut out = vec![0.0_f32; COUNT];
    let [mut old, mut old2, mut old3] = [(); 3].map(|()| vec![0.0_f32; COUNT]);
    let mut same = x.clone();

    let mut ways: Vec<(&str, &mut dyn FnMut())> = Vec::new();
    let operations = RefCell::new(Vec::new());
    let mut measured = || operations.borrow_mut().push(peak.operation());
    ways.push(("peak", &mut measured));
    let mut moved = || negate(black_box(&mut out), black_box(&numbers));
    ways.push(("memory", &mut moved));
    macro_rules! ways {
        ($($name:literal: $work:expr;)*) => {$(
            let mut work = || { black_box($work); };
            ways.push(($name, &mut work));
        )*};
    }
    ways! {
        "exp, std": each(black_box(&numbers), &mut old, f32::exp);
        "sin, std": each(black_box(&numbers), &mut old2, f32::sin);
        "tanh, std": each(black_box(&numbers), &mut old3, f32::tanh);
        "neg": black_box(&x).neg();
        "exp": black_box(&x).exp();
        "exp, in place": same.map_assign(|x| Float::exp(x).min(1.0));
        "exp_m1": black_box(&x).exp_m1();
        "ln": black_box(&x).ln();
        "ln_1p": black_box(&x).ln_1p();
        "tanh": black_box(&x).tanh();
        "sigmoid": black_box(&x).sigmoid();
        "silu": black_box(&x).silu();
        "softplus": black_box(&x).softplus();
        "gelu_tanh": black_box(&x).gelu_tanh();
        "gelu_tanh(x * w + b)": zip_with3(black_box(&x), w, &b,
            #[inline(always)] |x, w, b| (x * w + b).gelu_tanh());
        "gelu_tanh(x * row + row)": zip_with3(&grid, &row, &row,
            #[inline(always)] |x, w, b| (x * w + b).gelu_tanh());
        "gelu": black_box(&x).gelu();
        "erf": black_box(&x).erf();
        "sin": black_box(&x).sin();
        "cos": black_box(&x).cos();
        "pow": black_box(&x).pow(w);
        "exp f64": black_box(&x64).exp();
        "ln f64": black_box(&x64).ln();
        "tanh f64": black_box(&x64).tanh();
        "gelu_tanh f64": black_box(&x64).gelu_tanh();
        "gelu_tanh(x * row + row) f64": zip_with3(&grid64, &row64, &row64,
            #[inline(always)] |x, w, b| (x * w + b).gelu_tanh());
        "gelu f64": black_box(&x64).gelu();
        "erf f64": black_box(&x64).erf();
        "sin f64": black_box(&x64).sin();
        "cos f64": black_box(&x64).cos();
        "pow f64": black_box(&x64).pow(&x64);
    }
    let times = medians(&mut ways);
    let operation = median(operations.take());
    println!("peak {:.1} G operations/s, memory {:.0} us", 1.0 / operation, times[1] / 1e3);
    for ((name, _), time) in ways.iter().zip(&times).skip(2) {
        let operations = match name.split([' ', ',']).next() {
            Some("exp") => 16.0,
            Some("tanh") => 20.0,
            Some("gelu_tanh" | "gelu_tanh(x") => 30.0,
            _ => 0.0,
        };
        let bytes = if name.ends_with("f64") {
            2.0
        } else if name.contains("* w") {
            1.5
        } else {
            1.0
        };
        let limit = (times[1] * bytes).max(operations * operation * COUNT as f64 * bytes.ceil());
        println!("{name:28} {:8.0} us {:6.2} x limit", time / 1e3, time / limit);
    }
}
