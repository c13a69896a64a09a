//! Parallel execution: results are split into parts, each of which is written by one thread.
//!
//! The value of a result never depends on the parts, so the number of threads
//! affects nothing but the time. The threads are those of `rayon`: of its global pool, or of the pool
//! that the caller runs in. Without the feature `rayon`, there is one.

#[cfg_attr(not(feature = "rayon"), path = "parallel/alone.rs")]
mod helpers;

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::plan::{Loop, LoopNest, Loops};

/// Work on fewer bytes runs on the calling thread alone: other threads would have to be woken, and what
/// they read would leave the cache where it is.
const PARALLEL_BYTES: usize = 2 << 20;

/// The same where other threads are awake already.
const PARALLEL_BYTES_AWAKE: usize = 2 * PART;

/// The minimum size of a part in bytes.
const PART: usize = 1 << 18;

/// About how many parts there are for each thread: several, because one thread may be slower than another.
const PARTS_PER_THREAD: usize = 4;

/// Whether work that moves `bytes` bytes is large enough to be shared.
#[inline]
pub(crate) fn is_parallel(bytes: usize) -> bool {
    bytes >= PARALLEL_BYTES_AWAKE && (bytes >= PARALLEL_BYTES || helpers::are_polling())
}

/// The number of parts for work that moves `bytes` bytes: 1 if threads do not pay.
#[inline]
fn parts(bytes: usize) -> usize {
    if is_parallel(bytes) { parallel_parts(bytes) } else { 1 }
}

fn parallel_parts(bytes: usize) -> usize {
    match helpers::num_threads() {
        1 => 1,
        threads => (bytes / PART).min(threads * PARTS_PER_THREAD),
    }
}

/// Calls `work` with each number below `count`, on this thread and on others.
///
/// The caller takes parts too, so that nothing waits for threads that are busy.
fn run_parallel(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let others = (count - 1).min(helpers::num_threads() - 1);
    let next = AtomicUsize::new(0);
    helpers::run_with_helpers(others, &|| {
        loop {
            match next.fetch_add(1, Ordering::Relaxed) {
                part if part < count => work(part),
                _ => break,
            }
        }
    });
}

/// Results whose parts are written by several threads.
struct Parts<W> {
    first: *mut W,
    len: usize,
}

// SAFETY: a thread takes parts, and parts of results that are `Send` may be written by it.
unsafe impl<W: Send> Sync for Parts<W> {}

impl<W> Parts<W> {
    fn new(results: &mut [W]) -> Self {
        Self { first: results.as_mut_ptr(), len: results.len() }
    }

    /// `len` results from `start` on.
    ///
    /// # Safety
    ///
    /// The results are borrowed as long as the part, and no other part has one of its results at the same time.
    #[expect(
        clippy::mut_from_ref,
        reason = "the caller promises that no results are borrowed twice"
    )]
    unsafe fn part(&self, start: usize, len: usize) -> &mut [W] {
        assert!(start <= self.len && len <= self.len - start, "results that there are");
        // SAFETY: there are these results; the caller promises the rest.
        unsafe { core::slice::from_raw_parts_mut(self.first.add(start), len) }
    }
}

/// Calls `work` with each part of the results and its start: with all of them at once if there are
/// few. The number of results of a part is a multiple of `unit`.
#[inline]
pub fn for_each_part<W: Send>(
    results: &mut [W],
    unit: usize,
    work: impl Fn(usize, &mut [W]) + Sync,
) {
    let bytes = size_of_val(results);
    for_each_part_weighted(results, bytes, unit, work);
}

/// Calls `work` with each part of the results and its start, on several threads where computing the
/// results moves many bytes: `bytes` in all. The number of results of a part is a multiple of `unit`.
#[inline]
pub fn for_each_part_weighted<W: Send>(
    results: &mut [W],
    bytes: usize,
    unit: usize,
    work: impl Fn(usize, &mut [W]) + Sync,
) {
    for_each_part_of(results, bytes, unit, &work);
}

/// [`for_each_part_weighted`], compiled once for each result type: a closure as a type parameter would be
/// compiled twice, for the calling thread alone and for several threads.
fn for_each_part_of<W: Send>(
    results: &mut [W],
    bytes: usize,
    unit: usize,
    work: &(dyn Fn(usize, &mut [W]) + Sync),
) {
    let count = parts(bytes);
    if count == 1 {
        return work(0, results);
    }
    let each = results.len().div_ceil(count).next_multiple_of(unit);
    let (len, results) = (results.len(), Parts::new(results));
    run_parallel(len.div_ceil(each), &|part| {
        let start = part * each;
        // SAFETY: each number is passed once, so that parts do not overlap, and this function has borrowed the results.
        work(start, unsafe { results.part(start, each.min(len - start)) });
    });
}

/// Calls `work` with parts of nested loops that cost as much as moving this many bytes, and with the
/// results that they write, the same number in each step.
pub(super) fn for_each_loop_part_weighted<W: Send, const N: usize>(
    loops: &Loops<'_, N>,
    results: &mut [W],
    bytes: usize,
    work: &(dyn Fn(&Loops<'_, N>, &mut [W]) + Sync),
) {
    assert!(results.len().is_multiple_of(loops.len()), "the loops cover the results");
    let (each, results) = (results.len() / loops.len().max(1), Parts::new(results));
    for_each_range_of(loops, bytes, &|loops, steps| {
        // SAFETY: the ranges do not overlap, and this function has borrowed the results.
        work(loops, unsafe { results.part(steps.start * each, steps.len() * each) });
    });
}

/// Calls `work` with parts of nested loops that cost as much as moving this many bytes, and with the
/// numbers of their steps, each of which is in one part.
pub(super) fn for_each_range_of<const N: usize>(
    loops: &Loops<'_, N>,
    bytes: usize,
    work: &(dyn Fn(&Loops<'_, N>, Range<usize>) + Sync),
) {
    let count = parts(bytes);
    if count == 1 {
        return work(loops, 0..loops.len());
    }
    let parts = parts_of(loops, count);
    run_parallel(parts.len(), &|part| {
        let NestPart { nest, start, len } = &parts[part];
        work(&Loops::from_nest(nest), *start..start + len);
    });
}

/// A part of the steps of nested loops.
struct NestPart<const N: usize> {
    nest: LoopNest<N>,
    /// The number of the first step.
    start: usize,
    /// The number of steps.
    len: usize,
}

/// Splits loops into about `count` parts along the outermost ones, in the order of their steps.
fn parts_of<const N: usize>(loops: &Loops<'_, N>, count: usize) -> Vec<NestPart<N>> {
    let mut parts = Vec::with_capacity(count);
    split(NestPart { nest: loops.nest(), start: 0, len: loops.len() }, count, &mut parts);
    parts
}

fn split<const N: usize>(mut all: NestPart<N>, count: usize, parts: &mut Vec<NestPart<N>>) {
    if count <= 1 || all.nest.loops.is_empty() {
        return parts.push(all);
    }
    let outer = all.nest.loops.pop().expect("a loop");
    let each = all.len / outer.size;
    let together = outer.size.div_ceil(count);
    for step in (0..outer.size).step_by(together) {
        let size = together.min(outer.size - step);
        let start = outer.advance(step, all.nest.start);
        let mut nest = LoopNest { loops: all.nest.loops.clone(), start };
        if size > 1 {
            nest.loops.push(Loop { size, ..outer });
        }
        let part = NestPart { nest, start: all.start + step * each, len: size * each };
        split(part, if size > 1 { 1 } else { count.div_ceil(outer.size) }, parts);
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests;
