//! Rows: what is measured, what it is compared with, and the target.

use std::time::Duration;

use crate::measure::roofline::{Moves, Peak, Real, moving, time_of_calls};
use crate::measure::{Turns, Way, least, median, ratio};
use crate::options::Options;
use crate::peers::{Peers, Stored};
use crate::report;

/// The target of our time.
#[derive(Clone, Copy, Debug)]
pub enum Reach {
    /// At most this multiple of the limit.
    Limit(f64),
    /// At most this number of nanoseconds.
    Nanoseconds(f64),
    /// At most this multiple of the time of the peer with this name.
    Peer(&'static str, f64),
}

/// The bounds of the least time of a row; the larger one counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// The bytes, as a loop over this number of elements.
    pub moves: Option<(Moves, usize)>,
    /// The floating-point operations.
    pub operations: f64,
    /// Whether a call that is not inlined comes on top.
    pub is_called: bool,
}

impl Work {
    /// Work that moves bytes.
    pub fn moves(moves: Moves, count: usize) -> Self {
        Work { moves: Some((moves, count)), ..Work::default() }
    }

    /// Work that computes.
    pub fn operations(operations: usize) -> Self {
        Work { operations: operations as f64, ..Work::default() }
    }

    /// Work that is one call, which is not inlined.
    pub fn called(self) -> Self {
        Work { is_called: true, ..self }
    }

    /// Work that also has this number of operations for each element.
    pub fn each(self, operations: usize) -> Self {
        let count = self.moves.map_or(0, |(_, count)| count);
        Work { operations: (operations * count) as f64, ..self }
    }
}

/// A way that was measured.
pub struct Figure {
    pub name: String,
    /// Nanoseconds.
    pub median: f64,
    pub least: f64,
    /// The median of the ratios to the limit within each round, or the ratio of medians where the
    /// rounds were others.
    pub ratio: f64,
}

/// A row that was measured.
pub struct Measured {
    pub name: String,
    pub element: &'static str,
    pub reach: Reach,
    /// The limit: `ratio` is 1.
    pub limit: Figure,
    /// Ours, the plain loop, peers.
    pub figures: Vec<Figure>,
}

/// How many nanoseconds or times the limit are allowed more in `f64`.
const DOUBLE: f64 = 1.2;

/// The table while it is measured.
pub struct Table {
    pub options: Options,
    pub peers: Option<Peers>,
    pub stored: Stored,
    pub rows: Vec<Measured>,
    peak: [Option<Peak>; 2],
}

impl Table {
    pub fn new(options: Options, peers: Option<Peers>, stored: Stored) -> Self {
        Table { options, peers, stored, rows: Vec::new(), peak: [None; 2] }
    }

    /// Whether the arguments ask for this row.
    pub fn wants(&self, name: &str) -> bool {
        let parts = &self.options.filters;
        parts.is_empty() || parts.iter().any(|part| name.contains(part.as_str()))
    }

    /// The peak of multiply-adds, tried out once for each type.
    pub fn peak<T: Real>(&mut self) -> Peak {
        *self.peak[usize::from(size_of::<T>() == 8)].get_or_insert_with(Peak::measured::<T>)
    }

    /// Measures a row: `ways` are ours and the plain loop.
    pub fn row<T: Real>(&mut self, name: &str, reach: Reach, work: Work, ways: Vec<Way<'_>>) {
        let reach = match reach {
            Reach::Limit(times) if T::NAME == "f64" => Reach::Limit(times * DOUBLE),
            Reach::Nanoseconds(time) if T::NAME == "f64" => Reach::Nanoseconds(time * DOUBLE),
            reach => reach,
        };
        let peak = self.peak::<T>();
        let mut ways = ways;
        if let Some(peers) = &self.peers {
            ways.extend(peers.ways(name, T::NAME));
        }
        let figures = ways.len();
        if let Some((moves, count)) = work.moves {
            ways.extend(moving::<T>(moves, count));
        }
        let loops = ways.len();
        if work.operations > 0.0 {
            ways.push(peak.way());
        }
        let peaks = ways.len();
        if work.is_called {
            ways.push(Way::timed("call", time_of_calls));
        }
        // Right before ours, at the end of a round, and right after it: the clock is lower after wide
        // vectors than after a plain loop.
        if work.operations > 0.0 {
            ways.insert(1, peak.way());
        }
        self.turns().take(&mut ways);
        let operations = work.operations / peak.operations;
        if work.operations > 0.0 {
            let after = ways.remove(1);
            let before = &mut ways[loops].times;
            before.iter_mut().zip(&after.times).for_each(|(before, after)| {
                *before = (*before + after) / 2.0;
            });
        }

        let peak = ways[..peaks].get(loops);
        let mut limits = limits(&ways[..figures], &ways[figures..loops], peak, operations);
        if let Some(call) = ways.get(peaks) {
            limits.iter_mut().zip(&call.times).for_each(|(limit, call)| *limit += call);
        }
        let limit = figure("limit", &limits, &limits);
        let mut results: Vec<Figure> =
            ways[..figures].iter().map(|way| figure(&way.name, &way.times, &limits)).collect();
        results.extend(self.stored.figures(name, T::NAME, limit.median));
        let name = name.to_string();
        let row = Measured { name, element: T::NAME, reach, limit, figures: results };
        report::print(&row);
        self.rows.push(row);
    }

    /// [`row`](Table::row), if the arguments ask for it.
    pub fn row_if_wanted<T: Real>(
        &mut self,
        name: &str,
        reach: Reach,
        work: Work,
        ways: Vec<Way<'_>>,
    ) {
        if self.wants(name) {
            self.row::<T>(name, reach, work, ways);
        }
    }

    fn turns(&self) -> Turns {
        if self.options.quick {
            let (time, turn) = (Duration::from_millis(150), Duration::from_micros(200));
            Turns { rounds: 15, fewest: 3, time, turn }
        } else {
            let (time, turn) = (Duration::from_secs(2), Duration::from_micros(400));
            Turns { rounds: 201, fewest: 11, time, turn }
        }
    }
}

/// The limit in each round: of the loops the one that is the quickest over all, or `operations` calls
/// of the peak, whichever is larger; where a row has neither, the second way, which is a plain loop.
fn limits(
    ways: &[Way<'_>],
    loops: &[Way<'_>],
    peak: Option<&Way<'_>>,
    operations: f64,
) -> Vec<f64> {
    let time = |way: &&Way<'_>| median(way.times.iter().copied());
    let quickest = loops.iter().min_by(|a, b| time(a).total_cmp(&time(b)));
    let rounds = 0..ways[0].times.len();
    match (quickest, peak) {
        (Some(moved), None) => moved.times.clone(),
        (None, None) => ways[1].times.clone(),
        (moved, Some(peak)) => rounds
            .map(|round| {
                let moved = moved.map_or(0.0, |way| way.times[round]);
                moved.max(peak.times[round] * operations)
            })
            .collect(),
    }
}

fn figure(name: &str, times: &[f64], limits: &[f64]) -> Figure {
    Figure {
        name: name.to_string(),
        median: median(times.iter().copied()),
        least: least(times),
        ratio: ratio(times, limits),
    }
}
