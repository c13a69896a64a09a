//! The cost of new memory, and the savings of the memory cache.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench memory             every row
//! cargo bench -p tensor-benchmarks --bench memory -- 1024     rows with `1024` in their name
//! ```
//!
//! Each row is compared with its limit: the hand-written loop over the same number of bytes in warm,
//! page-aligned memory. All variants are interleaved, and the table gives the medians of the ratios in
//! each round. `reach` is the ratio that `ours` is to reach; `off` is ours with the cache off, `vec`
//! ours with operands from a `Vec`, and `loop` the hand-written loop into a new `Vec`.

mod measure;

use std::hint::black_box;
use std::time::Duration;

use measure::{Paged, Turns, Way, is_wanted, median, number, ratio, way};
use tensor_core::{StaticShape, Tensor, memory, shape};

/// How the ways take turns.
const TURNS: Turns =
    Turns { rounds: 41, fewest: 41, time: Duration::ZERO, turn: Duration::from_micros(500) };

/// A variant that keeps freed memory, the default.
fn keeping<'a, R>(name: &str, work: impl FnMut() -> R + 'a) -> Way<'a> {
    way(name, work).before(|| memory::set_cache_limit(1 << 30))
}

/// A way with nothing kept.
fn off<'a, R>(work: impl FnMut() -> R + 'a) -> Way<'a> {
    way("off", work).before(|| memory::set_cache_limit(0))
}

/// Prints a row; the first way is the limit.
fn row(name: &str, reach: f64, mut ways: Vec<Way<'_>>) {
    TURNS.take(&mut ways);
    let (limit, others) = ways.split_first().expect("a row has a limit");
    print!("{name:<22}{:>14.1} ns{reach:>8.2}  ", median(limit.times.iter().copied()));
    for way in others {
        print!("{:>8} {:>5.2}", way.name, ratio(&way.times, &limit.times));
    }
    println!();
}

/// `count` floats that begin a page.
fn floats(count: usize) -> Paged<f32> {
    Paged::new(count, |i| number(i) as f32)
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
    let [mut x, mut y, mut out] = [(); 3].map(|()| floats(count));
    let (x, y, out) = (&*x.slice(), &*y.slice(), out.slice());
    let vectors = [x, y].map(|x| Tensor::<S>::from_vec(x.to_vec()).expect("as many floats"));
    let [a, b] = [&vectors[0], &vectors[1]].map(|x| x.map(|x| x));
    let ours = || black_box(&a) + black_box(&b);
    let ways = vec![
        keeping("limit", || add(black_box(&mut *out), black_box(x), black_box(y))),
        keeping("ours", ours),
        off(ours),
        keeping("vec", || black_box(&vectors[0]) + black_box(&vectors[1])),
        keeping("loop", || {
            let sums = black_box(x).iter().zip(black_box(y)).map(|(x, y)| x + y);
            sums.collect::<Vec<f32>>()
        }),
    ];
    row(&name, reach, ways);
}

/// Zeros that are added to, compared with zeros written to memory that was used before.
fn zeros<S: StaticShape>() {
    let count = S::VALUE.num_elements();
    let name = format!("zeros += b, {count}");
    if !is_wanted(&name) {
        return;
    }
    let [mut x, mut y] = [(); 2].map(|()| floats(count));
    let (x, y) = (x.slice(), &*y.slice());
    let b = Tensor::<S>::from_vec(y.to_vec()).expect("as many floats").map(|x| x);
    let ours = || {
        let mut zeros = black_box(Tensor::<S>::zeros());
        zeros += black_box(&b);
        zeros
    };
    let ways = vec![
        keeping("limit", || {
            black_box(&mut *x).fill(0.0);
            black_box(&mut *x).iter_mut().zip(black_box(y)).for_each(|(x, y)| *x += y);
        }),
        keeping("ours", ours),
        off(ours),
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
