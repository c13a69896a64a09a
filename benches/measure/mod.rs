//! Shared code of the benchmarks with their own harness: interleaved measurements and the roofline.
//!
//! The CPU may be shared and change its clock, so measurements taken at different times do not compare.
//! Here all variants of a row run in every round, and the report is the median of the ratios within the
//! rounds. Time is CPU time of the thread: in wall time, long variants would seem longer, as they are
//! interrupted more often.

#![allow(dead_code, reason = "each benchmark uses a part")]

pub mod clock;
pub mod processor;
pub mod programs;
pub mod roofline;

use std::env;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A variant of a row, and its nanoseconds per call in each round.
pub struct Way<'a> {
    pub name: String,
    before: fn(),
    /// The time of a number of calls.
    turn: Box<dyn FnMut(usize) -> Duration + 'a>,
    /// Whether a sample takes as long as one of the first variant.
    is_sustained: bool,
    pub times: Vec<f64>,
}

impl<'a> Way<'a> {
    /// A variant that times its calls itself.
    pub fn timed(name: &str, turn: impl FnMut(usize) -> Duration + 'a) -> Self {
        Way {
            name: name.to_string(),
            before: || (),
            turn: Box::new(turn),
            is_sustained: false,
            times: Vec::new(),
        }
    }

    /// With samples as long as those of the first variant: CPUs lower their clock after a while of wide
    /// vectors, so short samples would be too fast.
    pub fn sustained(self) -> Self {
        Way { is_sustained: true, ..self }
    }

    /// Setup before each sample, and the warm-up call, both outside of the time.
    pub fn before(self, before: fn()) -> Self {
        Way { before, ..self }
    }
}

/// A variant that is a call, including the drop of its result.
pub fn way<'a, R>(name: &str, mut work: impl FnMut() -> R + 'a) -> Way<'a> {
    Way::timed(name, move |calls| {
        let start = clock::now();
        for _ in 0..calls {
            // By reference, because a small tensor would be copied otherwise.
            black_box(&work());
        }
        clock::since(start)
    })
}

/// Calls below this time are warmed up by one call before each sample, because the previous variant has
/// changed the caches.
const LONG: Duration = Duration::from_millis(50);

/// The schedule of rounds.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// Number of rounds, if there is time.
    pub rounds: usize,
    /// Minimum number of rounds.
    pub fewest: usize,
    /// Time limit for all rounds of a row.
    pub time: Duration,
    /// Minimum time of a sample.
    pub turn: Duration,
}

impl Turns {
    /// Measures each variant.
    pub fn take(&self, ways: &mut [Way<'_>]) {
        let mut turns = Vec::new();
        let mut longest = self.turn;
        for way in ways.iter_mut() {
            let turn = if way.is_sustained { longest } else { self.turn };
            let (count, each) = calls_of(way, turn);
            if turns.is_empty() {
                longest = longest.max(each.mul_f64(count as f64));
            }
            turns.push((count, each < LONG));
        }
        let start = Instant::now();
        for round in 0..self.rounds {
            if round >= self.fewest && start.elapsed() > self.time {
                break;
            }
            for (way, &(calls, warms_up)) in ways.iter_mut().zip(&turns) {
                (way.before)();
                if warms_up {
                    (way.turn)(1);
                }
                let time = (way.turn)(calls).as_nanos() as f64;
                way.times.push(time / calls as f64);
            }
        }
    }
}

/// The number of calls in a sample of at least this length, and the time of a call.
fn calls_of(way: &mut Way<'_>, turn: Duration) -> (usize, Duration) {
    (way.before)();
    // The first call has cold caches.
    (way.turn)(1);
    let mut calls = 1;
    loop {
        let time = (way.turn)(calls);
        if time >= turn / 2 {
            let each = time.div_f64(calls as f64);
            let calls = (turn.as_secs_f64() / each.as_secs_f64()).ceil().max(1.0);
            return (calls as usize, each);
        }
        calls *= 2;
    }
}

/// The median of some times or ratios.
pub fn median(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The minimum of some times.
pub fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The median of `times / limits`, of the same round each.
pub fn ratio(times: &[f64], limits: &[f64]) -> f64 {
    median(times.iter().zip(limits).map(|(time, limit)| time / limit))
}

/// Whether the arguments select a row: each that is no option is a part of its name.
pub fn is_wanted(name: &str) -> bool {
    env::args().skip(1).all(|part| part.starts_with('-') || name.contains(&part))
}

/// Pseudo-random numbers from -2 to 2: branches on them are unpredictable, and results are neither
/// infinite nor subnormal, which some CPUs are slow at.
pub fn number(i: usize) -> f64 {
    let bits = (i as u32).wrapping_mul(0x9e37_79b1) >> 8;
    f64::from(bits) / f64::from(1 << 22) - 2.0
}

/// Page-aligned numbers.
pub struct Paged<T> {
    memory: Vec<T>,
    start: usize,
    count: usize,
}

impl<T: Copy> Paged<T> {
    /// `number(0)`, `number(1)` and so on, `count` of them.
    pub fn new(count: usize, number: impl Fn(usize) -> T) -> Self {
        let page = 4096 / size_of::<T>();
        let mut memory: Vec<T> = Vec::with_capacity(count + page);
        let start = memory.as_ptr().align_offset(4096);
        memory.extend((0..start + count).map(|i| number(i.saturating_sub(start))));
        Paged { memory, start, count }
    }

    /// The numbers.
    pub fn slice(&mut self) -> &mut [T] {
        &mut self.memory[self.start..self.start + self.count]
    }
}
