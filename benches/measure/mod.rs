//! What the benchmarks share that measure by themselves: ways that take turns, and what limits them.
//!
//! The processor may be shared and change its pace, so that two figures of two times compare
//! nothing. Here every way of a row takes its turn in every round, and what is reported is the median
//! of the ratios within each round. And what counts is the time that this thread has a processor: on
//! a clock, ways that take long would seem to take longer, because they are interrupted more often.

#![allow(dead_code, reason = "each benchmark uses a part")]

pub mod clock;
pub mod limits;
pub mod programs;

use std::env;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A way to do the work of a row, and the nanoseconds that a call took in each round.
pub struct Way<'a> {
    pub name: String,
    before: fn(),
    /// The time that so many calls take.
    turn: Box<dyn FnMut(usize) -> Duration + 'a>,
    /// Whether a turn takes as long as one of the first way.
    is_sustained: bool,
    pub times: Vec<f64>,
}

impl<'a> Way<'a> {
    /// A way that takes the time of its calls itself.
    pub fn timed(name: &str, turn: impl FnMut(usize) -> Duration + 'a) -> Self {
        Way {
            name: name.to_string(),
            before: || (),
            turn: Box::new(turn),
            is_sustained: false,
            times: Vec::new(),
        }
    }

    /// With turns as long as those of the first way. Processors lower their clock after a while of
    /// wide vectors: what they do in a short time they do not keep up.
    pub fn sustained(self) -> Self {
        Way { is_sustained: true, ..self }
    }

    /// What to do before each turn, and the call that warms up, outside of its time.
    pub fn before(self, before: fn()) -> Self {
        Way { before, ..self }
    }
}

/// A way that is a call, whose result is thrown away within its time.
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

/// Before each turn there is a call that does not count: the first one finds the caches as the way before
/// has left them. Calls as long as that go without.
const LONG: Duration = Duration::from_millis(50);

/// How ways take turns.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// How often, if there is time.
    pub rounds: usize,
    /// How often at least.
    pub fewest: usize,
    /// What all rounds of a row may take.
    pub time: Duration,
    /// How long one turn takes at least.
    pub turn: Duration,
}

impl Turns {
    /// Fills in the times of each way.
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

/// How many calls a turn takes that is at least so long, and the time of a call.
fn calls_of(way: &mut Way<'_>, turn: Duration) -> (usize, Duration) {
    (way.before)();
    // What the first call finds cold is not what a call takes.
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

/// The least of some times.
pub fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The median of `times / limits`, of the same round each.
pub fn ratio(times: &[f64], limits: &[f64]) -> f64 {
    median(times.iter().zip(limits).map(|(time, limit)| time / limit))
}

/// Whether the arguments ask for a row: each that is no option is a part of its name.
pub fn is_wanted(name: &str) -> bool {
    env::args().skip(1).all(|part| part.starts_with('-') || name.contains(&part))
}

/// Numbers from -2 to 2 that seem random: nothing predicts a branch on them, and what is computed of
/// a few of them is neither infinite nor below the normal numbers, which some processors are slow at.
pub fn number(i: usize) -> f64 {
    let bits = (i as u32).wrapping_mul(0x9e37_79b1) >> 8;
    f64::from(bits) / f64::from(1 << 22) - 2.0
}

/// Numbers that begin a page.
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
