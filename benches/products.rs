//! Matrix products, compared with the roofline.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench products             every row
//! cargo bench -p tensor-benchmarks --bench products -- f64 256  rows with both in their name
//! ```
//!
//! The limit is `2 m k n` operations at the peak of fused multiply-adds in the widest vectors, plus a
//! call that is not inlined for 4 × 4 × 4. It is measured right before and after each sample, because
//! clocks change and machines are shared, on one thread; the table gives the median and minimum ratios.
//! Every variant allocates its result.
//! `reach` is what `ours` is to reach; the peer is `ndarray`, whose products are those of
//! `matrixmultiply`.

use std::env;
use std::hint::black_box;
use std::time::Duration;

use ndarray::{Array2, ArrayView2};
use tensor_core::{StaticShape, Tensor, shape};

mod measure;

use measure::clock;
use measure::roofline::{Peak, time_of_calls};

/// How often the ways take turns.
const ROUNDS: usize = 101;
/// How long a turn takes at least.
const TURN: Duration = Duration::from_micros(500);
/// A way to do the work of a row.
struct Way<'a> {
    name: &'static str,
    work: Box<dyn FnMut() + 'a>,
    ratios: Vec<f64>,
    least: f64,
}

fn way<'a>(name: &'static str, work: impl FnMut() + 'a) -> Way<'a> {
    Way { name, work: Box::new(work), ratios: Vec::new(), least: f64::INFINITY }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// How long one call takes, in nanoseconds.
fn time(work: &mut dyn FnMut()) -> f64 {
    work();
    let first = clock::now();
    work();
    // Reading the clock takes as long as a small product.
    let batch = if clock::since(first) < TURN / 16 { 64 } else { 1 };
    let mut repeats = 0;
    let start = clock::now();
    while clock::since(start) < TURN {
        for _ in 0..batch {
            work();
        }
        repeats += batch;
    }
    clock::since(start).as_nanos() as f64 / f64::from(repeats)
}

/// Prints a row: the variants for `operations` operations in `calls` calls that are not inlined.
fn row(peak: Peak, name: &str, reach: f64, [operations, calls]: [f64; 2], mut ways: Vec<Way<'_>>) {
    if !env::args().skip(1).all(|part| part.starts_with('-') || name.contains(&part)) {
        return;
    }
    // The least time that the work can take now, in nanoseconds.
    let limit = || {
        const CALLS: usize = 1000;
        let of_calls = if calls > 0.0 { time_of_calls(CALLS).as_nanos() as f64 } else { 0.0 };
        operations * peak.operation() + calls * of_calls / CALLS as f64
    };
    let (mut limits, mut least) = (Vec::new(), f64::INFINITY);
    let mut times = vec![f64::INFINITY; ways.len()];
    for round in 0..=ROUNDS {
        for (way, least_time) in ways.iter_mut().zip(&mut times) {
            let before = limit();
            let time = time(&mut *way.work);
            let after = limit();
            // The first round warms up.
            if round > 0 {
                way.ratios.push(time / ((before + after) / 2.0));
                limits.push((before + after) / 2.0);
                least = least.min(before).min(after);
                *least_time = least_time.min(time);
            }
        }
    }
    for (way, time) in ways.iter_mut().zip(&times) {
        way.least = time / least;
    }
    print!("{name:<26}{:>11.1} ns{reach:>7.2}  ", median(limits));
    for (way, time) in ways.into_iter().zip(times) {
        let ratio = median(way.ratios);
        print!("  {} {ratio:.2} (least {:.2}, {time:.1} ns)", way.name, way.least);
    }
    println!();
}

/// The rows of an element type.
macro_rules! rows {
    ($T:ident, $slack:literal) => {{
        const NAME: &str = stringify!($T);
        let peak = Peak::measured::<$T>();

        fn numbers<S: StaticShape>() -> Tensor<S, $T> {
            let each = |i: usize| (i % 31) as $T / 7.0 - 2.0;
            let len = S::VALUE.num_elements();
            let given = Tensor::<S, $T>::from_vec((0..len).map(each).collect());
            // In memory of our own, where results are.
            given.expect("as many numbers").map(|x| x)
        }

        /// One call that is not inlined.
        #[inline(never)]
        fn four(
            a: &Tensor<shape![4, 4], $T>,
            b: &Tensor<shape![4, 4], $T>,
        ) -> Tensor<shape![4, 4], $T> {
            a.matmul(b)
        }

        let (a, b) = (numbers::<shape![4, 4]>(), numbers::<shape![4, 4]>());
        let mut result = a.clone();
        let ours = way("ours", || result = four(black_box(&a), black_box(&b)));
        row(peak, &format!("{NAME} 4 4 4"), 3.0 * $slack, [128.0, 1.0], vec![ours]);
        black_box(&result);

        macro_rules! square {
            ($reach:literal: $m:literal $k:literal $n:literal) => {
                square!($reach: "", $m $k $n, numbers::<shape![$m, $k]>(), numbers::<shape![$k, $n]>());
            };
            ($reach:literal: $what:literal, $m:literal $k:literal $n:literal, $a:expr, $b:expr) => {
                let (a, b) = ($a, $b);
                let (x, y) = (a.contiguous(), b.contiguous());
                let x = ArrayView2::from_shape(($m, $k), x.as_slice().expect("contiguous"));
                let y = ArrayView2::from_shape(($k, $n), y.as_slice().expect("contiguous"));
                let (x, y) = (x.expect("as many"), y.expect("as many"));
                let peer = way("ndarray", || drop(black_box::<Array2<$T>>(black_box(&x).dot(&y))));
                let ours = way("ours", || drop(black_box(black_box(&a).matmul(&b))));
                let name = format!(concat!("{} ", $m, " ", $k, " ", $n, $what), NAME);
                let operations = (2 * $m * $k * $n as u64) as f64;
                row(peak, &name, $reach * $slack, [operations, 0.0], vec![ours, peer]);
            };
        }
        square!(4.0: 3 3 3);
        square!(4.0: 8 8 8);
        square!(4.0: 16 16 16);
        square!(2.0: 32 32 32);
        square!(1.15: 64 64 64);
        square!(1.4: 100 100 100);
        square!(1.2: 128 128 128);
        square!(1.07: 256 256 256);
        square!(1.1: 1024 1024 1024);
        square!(1.4: 64 1024 64);
        square!(1.2: " bT", 256 256 256, numbers::<shape![256, 256]>(), numbers::<shape![256, 256]>().transpose());
        square!(1.2: " aT", 256 256 256, numbers::<shape![256, 256]>().transpose(), numbers::<shape![256, 256]>());
        square!(1.2: " bT", 1024 1024 1024, numbers::<shape![1024, 1024]>(), numbers::<shape![1024, 1024]>().transpose());
        square!(1.2: " aT", 1024 1024 1024, numbers::<shape![1024, 1024]>().transpose(), numbers::<shape![1024, 1024]>());
        square!(8.0: 1024 1024 1);
        square!(8.0: 1 1024 1024);

        let (a, b) = (numbers::<shape![32, 128, 64]>(), numbers::<shape![32, 64, 128]>());
        let ours = way("ours", || drop(black_box(black_box(&a).matmul(&b))));
        let operations = (2 * 32 * 128 * 64 * 128_u32) as f64;
        let name = format!("{NAME} batched 128 64 128");
        row(peak, &name, 1.16 * $slack, [operations, 0.0], vec![ours]);

        let (a, b) = (numbers::<shape![1000, 4, 4]>(), numbers::<shape![1000, 4, 4]>());
        let ours = way("ours", || drop(black_box(black_box(&a).matmul(&b))));
        row(peak, &format!("{NAME} batched 4 4 4"), 9.0, [128_000.0, 0.0], vec![ours]);
    }};
}

fn main() {
    // The measured time is that of this thread.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    alone.expect("the first pool");
    println!("times the limit: the median in turn with it, and the least time by the least limit");
    rows!(f32, 1.0);
    rows!(f64, 1.2);
}
