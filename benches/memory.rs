//! What new memory costs, and what keeping freed memory saves.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench memory             every row
//! cargo bench -p tensor-benchmarks --bench memory -- 1024     rows with `1024` in their name
//! ```
//!
//! Each row is timed beside its limit: the plain loop over as many bytes, in memory that was used
//! before and begins at pages. All ways take turns, and the table gives medians
//! of the ratios in each round. `reach` is what
//! `ours` is to reach, in times of the limit; `off` is ours when nothing is kept, `vec` ours with
//! operands that came as a `Vec`, and `loop` the plain loop into a new `Vec`.

use std::env;
use std::hint::black_box;
use std::time::{Duration, Instant};

use tensor_core::{StaticShape, Tensor, memory, shape};

/// How often the ways take turns.
const ROUNDS: usize = 41;
/// How long one turn of one way takes at least.
const TURN: Duration = Duration::from_micros(500);

/// A way to do the work of a row.
struct Way<'a> {
    name: &'static str,
    /// Whether freed memory is kept.
    keeps: bool,
    work: Box<dyn FnMut() + 'a>,
    times: Vec<f64>,
}

fn way<'a>(name: &'static str, keeps: bool, work: impl FnMut() + 'a) -> Way<'a> {
    Way { name, keeps, work: Box::new(work), times: Vec::new() }
}

/// The median of some times or ratios.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Fills in the times of each way, in nanoseconds.
fn take_turns(ways: &mut [Way<'_>]) {
    for round in 0..=ROUNDS {
        for way in &mut *ways {
            memory::set_cache_limit(if way.keeps { 1 << 30 } else { 0 });
            let first = Instant::now();
            (way.work)();
            // Reading the clock takes as long as a small tensor.
            let batch = if first.elapsed() < TURN / 16 { 16 } else { 1 };
            let mut repeats = 0;
            let start = Instant::now();
            while start.elapsed() < TURN {
                for _ in 0..batch {
                    (way.work)();
                }
                repeats += batch;
            }
            let each = start.elapsed().as_nanos() as f64 / f64::from(repeats);
            // The first round warms up.
            if round > 0 {
                way.times.push(each);
            }
        }
    }
    memory::set_cache_limit(1 << 30);
}

/// Whether the arguments ask for a row.
fn is_wanted(name: &str) -> bool {
    env::args().skip(1).all(|part| part.starts_with('-') || name.contains(&part))
}

/// Prints a row; the first way is the limit.
fn row(name: &str, reach: f64, mut ways: Vec<Way<'_>>) {
    take_turns(&mut ways);
    let (limit, others) = ways.split_first().expect("a row has a limit");
    print!("{name:<22}{:>14.1} ns{reach:>8.2}  ", median(limit.times.clone()));
    for way in others {
        // Of the same round, because a processor that others use too changes its pace.
        let ratios = way.times.iter().zip(&limit.times).map(|(time, limit)| time / limit);
        print!("{:>8} {:>5.2}", way.name, median(ratios.collect()));
    }
    println!();
}

/// `count` floats that begin a page.
fn floats(memory: &mut Vec<f32>, count: usize) -> &mut [f32] {
    const PAGE: usize = 4096 / size_of::<f32>();
    memory.clear();
    memory.extend((0..count + PAGE).map(|i| (i % 97) as f32 * 0.25 - 9.0));
    let start = memory.as_ptr().align_offset(4096);
    &mut memory[start..start + count]
}

#[inline(never)]
fn add(out: &mut [f32], a: &[f32], b: &[f32]) {
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = a + b;
    }
}

fn addition<S: StaticShape>(reach: f64) {
    let count = S::VALUE.num_elements();
    let name = format!("a + b, {count}");
    if !is_wanted(&name) {
        return;
    }
    let (mut x, mut y, mut z) = (Vec::new(), Vec::new(), Vec::new());
    let (x, y) = (&*floats(&mut x, count), &*floats(&mut y, count));
    let out = floats(&mut z, count);
    let vectors = [x, y].map(|x| Tensor::<S>::from_vec(x.to_vec()).expect("as many floats"));
    let [a, b] = [&vectors[0], &vectors[1]].map(|x| x.map(|x| x));
    let ours = || drop(black_box(black_box(&a) + black_box(&b)));
    let ways = vec![
        way("limit", true, || add(black_box(&mut *out), black_box(x), black_box(y))),
        way("ours", true, ours),
        way("off", false, ours),
        way("vec", true, || drop(black_box(black_box(&vectors[0]) + black_box(&vectors[1])))),
        way("loop", true, || {
            let sums = black_box(x).iter().zip(black_box(y)).map(|(x, y)| x + y);
            drop(black_box(sums.collect::<Vec<f32>>()));
        }),
    ];
    row(&name, reach, ways);
}

/// Zeros that something is added to, beside zeros written to memory that was used before.
fn zeros<S: StaticShape>() {
    let count = S::VALUE.num_elements();
    let name = format!("zeros += b, {count}");
    if !is_wanted(&name) {
        return;
    }
    let (mut x, mut y) = (Vec::new(), Vec::new());
    let (x, y) = (floats(&mut x, count), &*floats(&mut y, count));
    let b = Tensor::<S>::from_vec(y.to_vec()).expect("as many floats").map(|x| x);
    let ours = || {
        let mut zeros = black_box(Tensor::<S>::zeros());
        zeros += black_box(&b);
        drop(black_box(zeros));
    };
    let ways = vec![
        way("limit", true, || {
            black_box(&mut *x).fill(0.0);
            black_box(&mut *x).iter_mut().zip(black_box(y)).for_each(|(x, y)| *x += y);
        }),
        way("ours", true, ours),
        way("off", false, ours),
    ];
    row(&name, 1.2, ways);
}

fn main() {
    println!("{:<22}{:>14}   {:>8}  times the limit", "", "limit", "reach");
    addition::<shape![32]>(6.0);
    addition::<shape![256]>(2.5);
    addition::<shape![1024]>(1.4);
    addition::<shape![16384]>(1.05);
    addition::<shape![65536]>(1.05);
    addition::<shape![1048576]>(1.05);
    addition::<shape![16777216]>(1.6);
    zeros::<shape![1024]>();
    zeros::<shape![65536]>();
    zeros::<shape![1048576]>();
    zeros::<shape![16777216]>();
}
