//! How fast functions of every element are, beside the least time that they can take.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench functions
//! ```
//!
//! The limit of a function of one million floats is the larger of two times, measured in the same
//! run: that of moving as many bytes, and that of its floating-point operations (16 an element for
//! `exp`, 20 for `tanh`, 30 for the gelu chain) at the measured peak of fused multiply-adds. Every
//! way runs once in each of many rounds; the table gives medians.

mod measure;

use std::hint::black_box;
use std::time::Duration;

use measure::limits::{Moves, Peak, moving};
use measure::{Turns, Way, median, way};
use tensor_core::{Float, Tensor, shape, zip_with3};

const COUNT: usize = 1 << 20;
/// One call of each way in every round.
const TURNS: Turns = Turns { rounds: 301, fewest: 301, time: Duration::ZERO, turn: Duration::ZERO };

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
    let [mut old, mut old2, mut old3] = [(); 3].map(|()| vec![0.0_f32; COUNT]);
    let mut same = x.clone();

    let peak = Peak::measured::<f32>();
    let mut ways: Vec<Way<'_>> = vec![peak.way()];
    ways.extend(moving::<f32>(Moves::Copy, COUNT));
    let limits = ways.len();
    macro_rules! ways {
        ($($name:literal: $work:expr;)*) => {
            $(ways.push(way($name, || $work));)*
        };
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
        "gelu": black_box(&x).gelu();
        "erf": black_box(&x).erf();
        "sin": black_box(&x).sin();
        "cos": black_box(&x).cos();
        "pow": black_box(&x).pow(w);
        "exp f64": black_box(&x64).exp();
        "ln f64": black_box(&x64).ln();
        "tanh f64": black_box(&x64).tanh();
        "gelu_tanh f64": black_box(&x64).gelu_tanh();
    }
    TURNS.take(&mut ways);
    let times: Vec<f64> = ways.iter().map(|way| median(way.times.iter().copied())).collect();
    let operation = times[0] / peak.operations;
    let memory = times[1..limits].iter().copied().fold(f64::INFINITY, f64::min);
    println!("peak {:.1} G operations/s, memory {:.0} us", 1.0 / operation, memory / 1e3);
    for (Way { name, .. }, time) in ways.iter().zip(&times).skip(limits) {
        let operations = match name.split([' ', ',']).next() {
            Some("exp") => 16.0,
            Some("tanh") => 20.0,
            Some("gelu_tanh" | "gelu_tanh(x") => 30.0,
            _ => 0.0,
        };
        let bytes = if name.ends_with("f64") {
            2.0
        } else if name.contains('w') {
            1.5
        } else {
            1.0
        };
        let limit = (memory * bytes).max(operations * operation * COUNT as f64 * bytes.ceil());
        println!("{name:22} {:8.0} us {:6.2} x limit", time / 1e3, time / limit);
    }
}
