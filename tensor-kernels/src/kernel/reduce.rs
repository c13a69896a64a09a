//! Reducing a tensor of any layout, to one result or along one axis, without copying it.
//!
//! These are the drivers: they know the sizes of elements, accumulators and results, and call the
//! [inner loops](loops) of a reduction through pointers, some hundred elements at a time. They
//! traverse the elements in memory order, not in the order of the axes, so that a transposed tensor
//! is as fast as another. Along an axis there are three cases:
//!
//! 1. The elements of one result are contiguous: a [lane](contiguous) for each.
//! 2. The elements of neighbouring results are contiguous: [rows](outer) combine to one.
//! 3. Otherwise the elements of one result are [packed](strided) first.
//!
//! [Several axes](axes) are merged into one if one stride covers them, or reduced one after the
//! other, as accumulators.

use core::mem::MaybeUninit;

use smallvec::SmallVec;

use super::axis_lanes::AxisLanes;
use super::isa_fns::IsaFns;
use super::parallel::{for_each_part_weighted, is_parallel};
use super::raw_view::RawView;
use crate::layout::num_elements;
use crate::plan::{Loop, Loops};

pub(crate) mod argminmax;
mod axes;
pub(crate) mod contiguous;
pub(crate) mod dot;
pub(crate) mod loops;
pub(crate) mod lowered;
pub(crate) mod ops;
pub(crate) mod outer;
pub(crate) mod pairwise;
pub(crate) mod results;
pub(crate) mod strided;
pub(crate) mod two_pass;
pub(crate) mod widen;

use crate::kernel::erased::{ErasedReduction, Results};
use axes::reduce_axes;
use contiguous::BLOCK;
use loops::{ErasedAccumulator, RawLines, RawRows, ReduceLoops};
use pairwise::{PairwiseSum, reduce_slice};
use results::FinishFn;
use strided::{CHUNK, StridedChunk};

/// The number of columns of rows that are reduced at a time: their accumulators stay in the L1 cache.
pub(super) const WIDTH: usize = 1024;

/// A reduction of elements to one result each, from the table of operations.
#[derive(Clone, Copy)]
pub(crate) struct ReduceKernel {
    pub loops: ReduceLoops,
    /// The function from accumulators to results; `None` if the accumulators are the results.
    pub finish: Option<IsaFns<FinishFn>>,
    /// The size of a result, in bytes.
    pub result: usize,
}

// SAFETY: each method writes every result: see the methods.
unsafe impl ErasedReduction for ReduceKernel {
    unsafe fn contiguous(&self, first: *const u8, len: usize, correction: usize, result: *mut u8) {
        let divisor = len.saturating_sub(correction);
        // SAFETY: the caller promises the elements and the room for the result, which both calls require.
        unsafe {
            let accumulator = reduce_slice(&self.loops, first, len);
            self.write_one(&accumulator, divisor, result);
        }
    }

    unsafe fn all(&self, view: &RawView<'_>, correction: usize, result: *mut u8) {
        let divisor = view.len().saturating_sub(correction);
        // SAFETY: the caller promises the elements and the room for the result, which both calls require.
        unsafe {
            let accumulator = reduce_all(&self.loops, view);
            self.write_one(&accumulator, divisor, result);
        }
    }

    unsafe fn axis(
        &self,
        view: &RawView<'_>,
        axis: usize,
        correction: usize,
        results: Results<'_>,
    ) {
        let divisor = view.sizes()[axis].saturating_sub(correction);
        // SAFETY: the types are those of the kernel, as the caller promises.
        unsafe { reduce_axis(self, view, axis, divisor, results) }
    }

    unsafe fn axes(
        &self,
        view: &RawView<'_>,
        axes: &[usize],
        correction: usize,
        results: Results<'_>,
    ) {
        if results.len() == 0 {
            return;
        }
        let sizes: SmallVec<[usize; 6]> = axes.iter().map(|&axis| view.sizes()[axis]).collect();
        let divisor = num_elements(&sizes).saturating_sub(correction);
        let (view, kept) = view.with_last_axes(axes);
        let mut results = results;
        // SAFETY: the types are those of the kernel, as the caller promises for all calls.
        unsafe {
            match view.sizes().len() - kept {
                _ if kept == 0 => {
                    assert_eq!(results.len(), 1, "one slot for each result");
                    let accumulator = reduce_all(&self.loops, &view);
                    results.finish(self, (accumulator.as_ptr(), 1), divisor, (0, 1));
                }
                1 => reduce_axis(self, &view, kept, divisor, results),
                _ => reduce_axes(self, &view, kept, divisor, results),
            }
        }
    }
}

impl ReduceKernel {
    /// Writes the result of one accumulator.
    ///
    /// # Safety
    ///
    /// The accumulator is one of the loops, and `result` is aligned memory for a result.
    unsafe fn write_one(&self, accumulator: &ErasedAccumulator, divisor: usize, result: *mut u8) {
        // SAFETY: the caller promises an accumulator of the loops and room for its result.
        unsafe {
            match self.finish {
                Some(finish) => (finish.baseline())(accumulator.as_ptr(), 1, divisor, result),
                None => result.copy_from_nonoverlapping(accumulator.as_ptr(), self.result),
            }
        }
    }
}

/// The accumulator without any element.
fn empty(loops: &ReduceLoops) -> ErasedAccumulator {
    let empty = loops.empty.expect("the operation refuses to reduce nothing");
    let mut accumulator = ErasedAccumulator::UNINIT;
    // SAFETY: there is room for any accumulator.
    unsafe { empty(accumulator.as_mut_ptr()) };
    accumulator
}

/// The accumulator of all elements.
///
/// # Safety
///
/// The elements have the type of the loops.
pub(super) unsafe fn reduce_all(loops: &ReduceLoops, view: &RawView<'_>) -> ErasedAccumulator {
    assert_eq!(view.element(), loops.element, "elements of the type of the loops");
    if view.sizes().contains(&0) {
        return empty(loops);
    }
    let axes = view.in_memory_order(None);
    let sizes: SmallVec<[usize; 6]> = axes.iter().map(|&axis| view.sizes()[axis]).collect();
    let strides: SmallVec<[isize; 6]> = axes.iter().map(|&axis| view.strides()[axis]).collect();
    let plan = Loops::from_strides(&sizes, [&strides], [0]);
    let [rows, columns] = plan.block();
    let mut all = PairwiseSum::new(loops);
    let in_rows = columns.strides[0] == 1 && columns.size >= CHUNK / 8;
    let mut chunk = StridedChunk::new(loops.element);
    // SAFETY: every pushed accumulator is that of initialised elements of the type of the loops.
    let mut push = |elements, len| unsafe { all.push(reduce_slice(loops, elements, len)) };
    plan.for_each_block(|[start]| {
        for row in 0..rows.size as isize {
            let start = view.at(start + row * rows.strides[0]);
            if in_rows {
                push(start, columns.size);
            } else {
                // SAFETY: the loops lead to elements of the view.
                unsafe { chunk.pack(start, columns, &mut push) };
            }
        }
    });
    let (rest, len) = chunk.take();
    if len > 0 {
        push(rest, len);
    }
    all.finish().expect("some element")
}

/// Fewer contiguous results are not shared among threads: that would change the order of their
/// summation.
const MIN_PARALLEL_RESULTS: usize = 64;

/// Reduces the elements along `axis`; the results are in row-major order of the other axes.
///
/// # Safety
///
/// The elements and the results have the types of the kernel.
///
/// # Panics
///
/// If there is another number of results.
unsafe fn reduce_axis(
    kernel: &ReduceKernel,
    view: &RawView<'_>,
    axis: usize,
    divisor: usize,
    results: Results<'_>,
) {
    assert_eq!(view.element(), kernel.loops.element, "elements of the type of the loops");
    assert_eq!(results.size(), kernel.result, "results of the type of the kernel");
    let bytes = view.len().saturating_mul(view.element());
    // Parts of the first axis that is kept have contiguous results.
    let kept = (0..view.sizes().len()).find(|&kept| kept != axis && view.sizes()[kept] > 1);
    let (true, Some(cut)) = (is_parallel(bytes), kept) else {
        // SAFETY: the types are those of the kernel, as the caller promises.
        return unsafe { reduce_lanes(kernel, view, axis, divisor, results) };
    };
    let step = results.len() / view.sizes()[cut];
    let stride = |axis: usize| view.strides()[axis].unsigned_abs();
    let in_rows = stride(axis) > stride(cut);
    let unit = if in_rows { step * MIN_PARALLEL_RESULTS.div_ceil(step) } else { step };
    let size = results.size();
    for_each_part_weighted(results.into_bytes(), bytes, unit * size, |start, bytes| {
        let results = Results::new(bytes, size);
        let part = view.part(cut, start / size / step, results.len() / step);
        // SAFETY: the part has the same types as the view.
        unsafe { reduce_lanes(kernel, &part, axis, divisor, results) };
    });
}

/// [`reduce_axis`] on one thread.
///
/// # Safety
///
/// The same.
unsafe fn reduce_lanes(
    kernel: &ReduceKernel,
    view: &RawView<'_>,
    axis: usize,
    divisor: usize,
    results: Results<'_>,
) {
    let lanes = AxisLanes::of(view, axis);
    assert_eq!(results.len(), lanes.count, "one slot for each result");
    if results.len() == 0 {
        return;
    }
    let (along, columns) = (lanes.along, lanes.columns);
    let mut lane = Lane { kernel, view, along, columns, divisor, results };
    if along.size == 0 {
        let empty = empty(&kernel.loops);
        for index in 0..lane.results.len() as isize {
            // SAFETY: `empty` is one accumulator of the loops, and the result index is in row-major order.
            unsafe { lane.write(empty.as_ptr(), 1, index) };
        }
    } else if along.strides[0] == 1 && !(along.size == 1 && columns.strides[0] == 1) {
        // SAFETY: the rows are lanes of the view.
        lanes.for_each_row(&mut |start, result| unsafe { lane.lines(start, result) });
    } else if columns.strides[0] == 1 {
        let width = WIDTH.min(columns.size);
        let rows = 1 + scratch_rows(&kernel.loops, along.size);
        let mut memory = Accumulators::new(&kernel.loops, width * rows);
        // SAFETY: the rows are lanes of the view, and the memory is as large as required.
        lanes.for_each_row(&mut |start, result| unsafe { lane.rows(start, result, &mut memory) });
    } else {
        let mut chunk = StridedChunk::new(kernel.loops.element);
        // SAFETY: the rows are lanes of the view, and the chunk is for its elements.
        lanes.for_each_row(&mut |start, result| unsafe { lane.packed(start, result, &mut chunk) });
    }
}

/// Uninitialised memory for accumulators.
pub(super) struct Accumulators(SmallVec<[MaybeUninit<u64>; 64]>);

impl Accumulators {
    pub(super) fn new(loops: &ReduceLoops, count: usize) -> Self {
        let bytes = count.checked_mul(loops.accumulator).expect("memory for accumulators");
        Self(SmallVec::from_elem(MaybeUninit::uninit(), bytes.div_ceil(8)))
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    /// The first `count` bytes of the memory.
    pub(super) fn bytes_mut(&mut self, count: usize) -> &mut [MaybeUninit<u8>] {
        assert!(count <= size_of_val(&self.0[..]), "bytes that there are");
        // SAFETY: these bytes are within the memory, which is borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), count) }
    }
}

/// The three cases along an axis. Each writes the results of one row of lanes, whose first elements
/// start at `start`, and whose results start at `result`.
struct Lane<'a, 'b> {
    kernel: &'a ReduceKernel,
    view: &'a RawView<'a>,
    along: Loop<1>,
    columns: Loop<2>,
    divisor: usize,
    results: Results<'b>,
}

/// The maximum size in bytes of the accumulators whose results are pending.
const WAITING: usize = 1 << 13;

impl Lane<'_, '_> {
    /// Writes the results of some accumulators.
    ///
    /// # Safety
    ///
    /// There are `count` accumulators of the loops, and the results are those of this row.
    unsafe fn write(&mut self, accumulators: *const u8, count: usize, result: isize) {
        let position = (result, self.columns.strides[1]);
        // SAFETY: the accumulators are initialised, as the caller promises.
        unsafe { self.results.finish(self.kernel, (accumulators, count), self.divisor, position) }
    }

    /// Case 1: contiguous lanes.
    ///
    /// # Safety
    ///
    /// The row is one of the lanes of the view.
    unsafe fn lines(&mut self, start: isize, result: isize) {
        let (loops, len) = (&self.kernel.loops, self.along.size);
        let [stride, step] = self.columns.strides;
        if len > BLOCK {
            for column in 0..self.columns.size as isize {
                // SAFETY: the line is one of the view, and has a result.
                unsafe {
                    let first = self.view.at(start + column * stride);
                    let accumulator = reduce_slice(loops, first, len);
                    self.write(accumulator.as_ptr(), 1, result + column * step);
                }
            }
            return;
        }
        if self.kernel.finish.is_none() && step == 1 {
            let count = self.columns.size;
            let lines = RawLines { first: self.view.at(start), stride, len, count };
            // SAFETY: the lines are those of the view; the results are the accumulators.
            return unsafe { loops.reduce_lines(lines, self.results.room(result, count)) };
        }
        let mut waiting = [const { MaybeUninit::<u64>::uninit() }; WAITING / 8];
        let waiting = waiting.as_mut_ptr().cast::<u8>();
        let together = WAITING / loops.accumulator;
        for done in (0..self.columns.size).step_by(together) {
            let count = together.min(self.columns.size - done);
            let first = self.view.at(start + done as isize * stride);
            // SAFETY: the lines are those of the view, and have results.
            unsafe {
                loops.reduce_lines(RawLines { first, stride, len, count }, waiting);
                self.write(waiting, count, result + done as isize * step);
            }
        }
    }

    /// Case 2: rows.
    ///
    /// # Safety
    ///
    /// The row is one of the lanes of the view, and the memory is as large as [`reduce_rows`] needs.
    unsafe fn rows(&mut self, start: isize, result: isize, memory: &mut Accumulators) {
        let loops = &self.kernel.loops;
        let step = self.columns.strides[1];
        let width = WIDTH.min(self.columns.size);
        let direct = self.kernel.finish.is_none() && step == 1;
        for column in (0..self.columns.size).step_by(width) {
            let here = width.min(self.columns.size - column);
            let result = result + column as isize * step;
            let first = self.view.at(start + column as isize);
            let stride = self.along.strides[0];
            let rows = RawRows { first, stride, count: self.along.size, width: here };
            let accumulators = memory.as_mut_ptr();
            // SAFETY: the rows are those of the view; the accumulators are written to the first row of the
            // memory, or to the results, if these are the accumulators.
            unsafe {
                let scratch = accumulators.add(width * loops.accumulator);
                if direct {
                    reduce_rows(loops, rows, self.results.room(result, here), scratch);
                } else {
                    reduce_rows(loops, rows, accumulators, scratch);
                    self.write(accumulators, here, result);
                }
            }
        }
    }

    /// Case 3: packed lanes.
    ///
    /// # Safety
    ///
    /// The row is one of the lanes of the view, and the chunk is for elements of its type.
    unsafe fn packed(&mut self, start: isize, result: isize, chunk: &mut StridedChunk) {
        let loops = &self.kernel.loops;
        for column in 0..self.columns.size as isize {
            let first = self.view.at(start + column * self.columns.strides[0]);
            let mut all = PairwiseSum::new(loops);
            // SAFETY: the packed elements are those of a lane of the view.
            let mut push = |elements, len| unsafe { all.push(reduce_slice(loops, elements, len)) };
            // SAFETY: the loop leads to elements of the view.
            unsafe { chunk.pack(first, self.along, &mut push) };
            let (rest, len) = chunk.take();
            if len > 0 {
                push(rest, len);
            }
            let all = all.finish().expect("some element");
            // SAFETY: `all` is one accumulator of the loops.
            unsafe { self.write(all.as_ptr(), 1, result + column * self.columns.strides[1]) };
        }
    }
}

/// The memory that [`reduce_rows`] needs besides the accumulators, in units of their number.
pub(super) fn scratch_rows(loops: &ReduceLoops, rows: usize) -> usize {
    match loops.pairwise {
        true => rows.div_ceil(loops.block_rows).next_power_of_two().ilog2() as usize,
        false => 0,
    }
}

/// Writes the accumulator of each column of some rows.
///
/// # Safety
///
/// There is at least one row, and each has `rows.width` initialised elements of the loops; there is
/// aligned memory for that many accumulators, and for [`scratch_rows`] times as many in `scratch`,
/// which do not overlap.
pub(super) unsafe fn reduce_rows(
    loops: &ReduceLoops,
    rows: RawRows,
    accumulators: *mut u8,
    scratch: *mut u8,
) {
    // SAFETY: the caller promises the rows and the memory, which both functions require.
    unsafe {
        let times = columns_of_float(loops);
        let is_narrow = rows.width < NARROW * times && rows.stride == rows.width as isize;
        if is_narrow && rows.count >= WIDE * times {
            reduce_narrow_columns(loops, rows, WIDE * times, accumulators);
        } else {
            reduce_columns(loops, rows, accumulators, scratch);
        }
    }
}

/// The rows starting at `first`.
fn rows_from(loops: &ReduceLoops, rows: RawRows, first: usize) -> RawRows {
    let moved = first as isize * rows.stride * loops.element as isize;
    RawRows { first: rows.first.wrapping_offset(moved), count: rows.count - first, ..rows }
}

/// [`reduce_rows`] by recursive halves of the rows, which are then combined.
///
/// # Safety
///
/// The same.
pub(super) unsafe fn reduce_columns(
    loops: &ReduceLoops,
    rows: RawRows,
    accumulators: *mut u8,
    scratch: *mut u8,
) {
    if !loops.pairwise || rows.count <= loops.block_rows {
        // SAFETY: there are at most as many rows as the loops take; the accumulators are fresh.
        return unsafe { (loops.rows.best())(loops, rows, accumulators, true) };
    }
    let half = (rows.count / 2).next_multiple_of(loops.block_rows);
    // SAFETY: each half has at least one row and needs one row of scratch less, which is what
    // follows the accumulators of the second half.
    unsafe {
        let rest = scratch.add(rows.width * loops.accumulator);
        reduce_columns(loops, RawRows { count: half, ..rows }, accumulators, scratch);
        reduce_columns(loops, rows_from(loops, rows, half), scratch, rest);
        (loops.combine.best())(loops, accumulators, scratch, rows.width);
    }
}

/// Contiguous rows with fewer columns than this are taken several at a time. It counts columns whose accumulators have the
/// size of `f32` or more: there are [more of smaller ones](columns_of_float).
const NARROW: usize = 16;

/// About how many columns these rows have together, counted likewise.
const WIDE: usize = 64;

/// The number of accumulators in the memory of an `f32`, at least 1.
fn columns_of_float(loops: &ReduceLoops) -> usize {
    (size_of::<f32>() / loops.accumulator).max(1)
}

/// [`reduce_rows`] for contiguous rows shorter than a vector: several are taken as one wide row,
/// whose parts are combined at the end.
///
/// # Safety
///
/// The same, but without the scratch; and there are at least `most` contiguous rows of at most `most` columns.
unsafe fn reduce_narrow_columns(
    loops: &ReduceLoops,
    rows: RawRows,
    most: usize,
    accumulators: *mut u8,
) {
    let width = rows.width;
    let together = 1 << (most / width).ilog2();
    let wide = together * width;
    let count = rows.count / together;
    let wide_rows = RawRows { stride: wide as isize, count, width: wide, ..rows };
    let mut memory = Accumulators::new(loops, wide * (1 + scratch_rows(loops, count)));
    let parts = memory.as_mut_ptr();
    let combine = loops.combine.baseline();
    // SAFETY: the wide rows consist of existing rows, and the memory is as large as they need. The
    // second half of all parts is combined with the first until one row is left.
    unsafe {
        reduce_columns(loops, wide_rows, parts, parts.add(wide * loops.accumulator));
        let mut len = wide;
        while len > width {
            len /= 2;
            combine(loops, parts, parts.add(len * loops.accumulator), len);
        }
        accumulators.copy_from_nonoverlapping(parts, width * loops.accumulator);
        let rest = rows_from(loops, rows, count * together);
        if rest.count > 0 {
            (loops.rows.baseline())(loops, rest, parts, true);
            combine(loops, accumulators, parts, width);
        }
    }
}

#[cfg(test)]
mod tests;
