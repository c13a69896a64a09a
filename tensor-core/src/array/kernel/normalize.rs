//! Operations along an axis that keep the sizes and need two numbers about all elements of a line,
//! such as their mean and their deviation from it.
//!
//! A contiguous line is read again while it is in the cache. Other lines are read twice and written
//! once: a block of rows gives the numbers of all its columns.
//!
//! The numbers come from the loops of a [reduction](super::reduce); what they make of an element is
//! compiled here, once for each operation and float.

use core::mem::MaybeUninit;

use super::erased::Results;
use super::erased::{BlockSizes, ErasedAxisMap};
use super::isa_fns::{IsaFns, isa_fns};
use super::normalization::{Mapped, Normalization};
use super::parallel::{for_each_part, for_each_part_weighted};
use super::reduce::contiguous::BLOCK;
use super::reduce::loops::{Accumulator, RawLines, RawRows, ReduceLoops, Widening};
use super::reduce::lowered::{LoopFloat, Lowered, exponentials, mean_and_m2};
use super::reduce::pairwise::reduce_slice;
use super::reduce::two_pass::{LogSumExpState, MomentsState};
use super::reduce::{Accumulators, WIDTH, reduce_rows, scratch_rows};
use super::softmax::{Softmax, SoftmaxLoops};
use super::typed::Typed;
use crate::element::{Float, Isa};
use crate::ops::AxisParams;

/// `x - ln Σ e^x`
#[derive(Clone, Copy)]
pub(crate) struct LogSoftmax;

impl<T: Float> Normalization<T> for LogSoftmax {
    type Accumulator = LogSumExpState<T>;

    #[inline(always)]
    fn new(_: Isa) -> Self {
        Self
    }

    #[inline(always)]
    fn prepare(accumulator: LogSumExpState<T>, _: usize, _: f64) -> [T; 2] {
        [accumulator.largest, accumulator.sum.ln()]
    }

    #[inline(always)]
    fn apply(self, element: T, [largest, logarithm]: [T; 2]) -> T {
        element.sub(largest).sub(logarithm)
    }
}

/// `(x - mean) / √(Σ (x - mean)² / divisor + epsilon)`
#[derive(Clone, Copy)]
pub(crate) struct Standardization;

impl<T: Float> Normalization<T> for Standardization {
    type Accumulator = MomentsState<T>;

    #[inline(always)]
    fn new(_: Isa) -> Self {
        Self
    }

    #[inline(always)]
    fn prepare(accumulator: MomentsState<T>, divisor: usize, epsilon: f64) -> [T; 2] {
        let [mean, squares] = accumulator.mean_and_m2();
        let variance = squares.div(T::from_f64(divisor as f64));
        [mean, variance.add(T::from_f64(epsilon)).sqrt()]
    }

    #[inline(always)]
    fn apply(self, element: T, [mean, deviation]: [T; 2]) -> T {
        element.sub(mean).div(deviation)
    }
}

/// Writes the two numbers of each accumulator: the first ones, and the second ones.
///
/// # Safety
///
/// There are that many initialised accumulators of the summary, and room for that many numbers each.
pub(crate) type PrepareFn = unsafe fn(*const u8, usize, [*mut u8; 2], usize, f64);

/// Writes what the elements of rows become.
///
/// # Safety
///
/// There are initialised elements of the type of the function in each row, two numbers for each
/// column ([`columns`](NormalizeLoops::columns)) or for each row ([`lines`](NormalizeLoops::lines)),
/// and room for the same number of elements, which does not overlap the rest.
pub(crate) type ApplyFn = unsafe fn(Mapped, [*const u8; 2]);

/// The inner loops of a normalisation, on elements that loops are compiled for.
#[derive(Clone, Copy)]
pub(crate) struct NormalizeLoops {
    /// The loops of the reduction that gives the two numbers.
    pub summary: ReduceLoops,
    pub prepare: PrepareFn,
    /// For two numbers of each row.
    pub lines: IsaFns<ApplyFn>,
    /// For two numbers of each column.
    pub columns: IsaFns<ApplyFn>,
    /// The size of an element, in bytes.
    pub element: usize,
    /// What computes lines of contiguous elements in another order of the same steps.
    pub softmax: Option<SoftmaxLoops>,
}

/// A normalisation, from the table of operations.
#[derive(Clone, Copy)]
pub(crate) struct NormalizeKernel {
    loops: NormalizeLoops,
    /// The reduction of the elements as they are.
    summary: ReduceLoops,
    widening: Option<&'static Widening>,
}

impl NormalizeLoops {
    pub(crate) const fn new<T: LoopFloat, N: Normalization<T>>(
        summary: ReduceLoops,
        softmax: Option<SoftmaxLoops>,
    ) -> Self {
        Self {
            summary,
            prepare: prepare::<T, N>,
            lines: lines::all::<T, N>(),
            columns: columns::all::<T, N>(),
            element: size_of::<T>(),
            softmax,
        }
    }
}

impl NormalizeKernel {
    const fn new<T: Lowered>(loops: NormalizeLoops, summary: ReduceLoops) -> Typed<Self, T, T> {
        // SAFETY: the loops are those of this type, or of the one that it is widened to.
        unsafe { Typed::new(Self { loops, summary, widening: T::WIDENING }) }
    }

    /// `x - ln Σ e^x`
    pub(crate) const fn log_softmax<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        let loops = NormalizeLoops::new::<T::Loop, LogSoftmax>(exponentials::<T::Loop>(), None);
        Self::new(loops, exponentials::<T>())
    }

    /// `(x - mean) / √(variance + epsilon)`
    pub(crate) const fn standardize<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        let loops = NormalizeLoops::new::<T::Loop, Standardization>(mean_and_m2::<T::Loop>(), None);
        Self::new(loops, mean_and_m2::<T>())
    }

    /// `e^x / Σ e^x`
    pub(crate) const fn softmax<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        let softmax = SoftmaxLoops::new::<T::Loop>();
        let loops =
            NormalizeLoops::new::<T::Loop, Softmax>(exponentials::<T::Loop>(), Some(softmax));
        Self::new(loops, exponentials::<T>())
    }
}

/// [`PrepareFn`]
unsafe fn prepare<T: LoopFloat, N: Normalization<T>>(
    accumulators: *const u8,
    count: usize,
    [first, second]: [*mut u8; 2],
    divisor: usize,
    epsilon: f64,
) {
    let accumulators = accumulators.cast::<N::Accumulator>();
    for index in 0..count {
        // SAFETY: there is an accumulator, and room for its two numbers.
        unsafe {
            let numbers = N::prepare(accumulators.add(index).read(), divisor, epsilon);
            first.cast::<T>().add(index).write(numbers[0]);
            second.cast::<T>().add(index).write(numbers[1]);
        }
    }
}

isa_fns! {
    /// [`ApplyFn`] for two numbers of each row.
    unsafe fn lines[T: LoopFloat, N: Normalization<T>](
        isa, rows: Mapped, numbers: [*const u8; 2]
    ) as ApplyFn {
        let normalization = N::new(isa);
        // SAFETY: there are two numbers for each row.
        let [first, second] = numbers.map(|numbers| unsafe {
            core::slice::from_raw_parts(numbers.cast::<T>(), rows.count)
        });
        // SAFETY: the caller keeps the contract.
        let (from, to) = unsafe { rows.typed::<T>() };
        let lines = to.chunks_exact_mut(rows.width).zip(from.chunks_exact(rows.width));
        for ((to, from), (&first, &second)) in lines.zip(first.iter().zip(second)) {
            for (to, &from) in to.iter_mut().zip(from) {
                to.write(normalization.apply(from, [first, second]));
            }
        }
    }

    /// [`ApplyFn`] for two numbers of each column.
    unsafe fn columns[T: LoopFloat, N: Normalization<T>](
        isa, rows: Mapped, numbers: [*const u8; 2]
    ) as ApplyFn {
        let normalization = N::new(isa);
        // SAFETY: there are two numbers for each column.
        let [first, second] = numbers.map(|numbers| unsafe {
            core::slice::from_raw_parts(numbers.cast::<T>(), rows.width)
        });
        // SAFETY: the caller keeps the contract.
        let (from, to) = unsafe { rows.typed::<T>() };
        for (to, from) in to.chunks_exact_mut(rows.width).zip(from.chunks_exact(rows.width)) {
            let numbers = first.iter().zip(second);
            for ((to, &from), (&first, &second)) in to.iter_mut().zip(from).zip(numbers) {
                to.write(normalization.apply(from, [first, second]));
            }
        }
    }
}

/// How many lines are normalised at a time, at most,
const LINES: usize = 64;

/// and how many bytes they have, if they are more than one: they stay in the L1 cache.
const BATCH: usize = 1 << 13;

/// How many elements of a row are copied or widened at a time.
const CHUNK: usize = 1024;

// SAFETY: each method writes every result.
unsafe impl ErasedAxisMap for NormalizeKernel {
    unsafe fn contiguous(
        &self,
        first: *const u8,
        sizes: BlockSizes,
        params: AxisParams,
        results: Results<'_>,
    ) {
        let (size, results) = (results.size(), results.into_bytes());
        // SAFETY: an initialised element without padding for each result, which nobody writes.
        let elements = unsafe { core::slice::from_raw_parts(first, results.len()) };
        for_each_part(results, sizes.block * size, |start, results| {
            let part = Part { kernel: self, params, sizes, from: Some(elements[start..].as_ptr()) };
            // SAFETY: whole blocks of elements, and room for the results.
            unsafe { part.normalize(results) }
        });
    }

    unsafe fn in_place(&self, sizes: BlockSizes, params: AxisParams, elements: Results<'_>) {
        let size = elements.size();
        for_each_part(elements.into_bytes(), sizes.block * size, |_, elements| {
            // SAFETY: whole blocks of elements.
            unsafe { Part { kernel: self, params, sizes, from: None }.normalize(elements) }
        });
    }
}

/// Some blocks that one thread normalises.
struct Part<'a> {
    kernel: &'a NormalizeKernel,
    params: AxisParams,
    sizes: BlockSizes,
    /// The elements; `None` where they are in place of the results.
    from: Option<*const u8>,
}

/// Two numbers about each column of a block `[n, inner]`, repeated to the width of some vectors.
struct ColumnStats {
    numbers: [Vec<u64>; 2],
    /// The size of a number, in bytes.
    size: usize,
    inner: usize,
    width: usize,
}

/// Columns fewer than these are taken several rows at a time.
const WIDE: usize = 256;

/// A thread takes a multiple of this many columns: shorter runs are read slowly.
const COLUMNS: usize = 256;

impl ColumnStats {
    fn new(inner: usize, size: usize) -> Self {
        let width = if inner < WIDE { WIDE / inner * inner } else { inner };
        let numbers = [(); 2].map(|()| vec![0; (width * size).div_ceil(8)]);
        Self { numbers, size, inner, width }
    }

    fn as_mut_ptrs(&mut self) -> [*mut u8; 2] {
        self.numbers.each_mut().map(|numbers| numbers.as_mut_ptr().cast())
    }

    /// The numbers of the columns from `first` on.
    fn numbers_from(&self, first: usize) -> [*const u8; 2] {
        assert!(first <= self.width, "columns that there are");
        let first = first * self.size;
        self.numbers.each_ref().map(|numbers| numbers.as_ptr().cast::<u8>().wrapping_add(first))
    }

    /// Repeats the numbers of the first `inner` columns.
    fn repeat(&mut self) {
        let (inner, size, width) = (self.inner, self.size, self.width);
        for numbers in self.as_mut_ptrs() {
            for column in (inner..width).step_by(inner) {
                // SAFETY: there is room for `width` numbers, which is a multiple of `inner`.
                unsafe {
                    let to = numbers.add(column * size);
                    to.copy_from_nonoverlapping(numbers, inner * size);
                }
            }
        }
    }
}

/// Room for two numbers of each column, which threads write.
struct Numbers([*mut u8; 2]);

// SAFETY: each thread writes the numbers of other columns.
unsafe impl Sync for Numbers {}

impl Numbers {
    /// The room for the columns that are this many bytes from the first.
    fn at(&self, bytes: usize) -> [*mut u8; 2] {
        self.0.map(|numbers| numbers.wrapping_add(bytes))
    }
}

impl Part<'_> {
    /// The elements that become results, which are `start` bytes behind the first one of the part.
    fn from(&self, start: usize, results: &[MaybeUninit<u8>]) -> *const u8 {
        match self.from {
            Some(from) => from.wrapping_add(start),
            None => results.as_ptr().cast(),
        }
    }

    /// Writes the results.
    ///
    /// # Safety
    ///
    /// There is an initialised element of the kernel for each result, in whole blocks.
    unsafe fn normalize(&self, results: &mut [MaybeUninit<u8>]) {
        let (sizes, loops) = (self.sizes, &self.kernel.loops);
        // SAFETY: the caller keeps the contract of both.
        unsafe {
            if sizes.inner == 1 && sizes.block <= BLOCK {
                return self.lines(results);
            }
            let mut stats = ColumnStats::new(sizes.inner, loops.element);
            let block = sizes.block * self.kernel.summary.element;
            for (index, results) in results.chunks_exact_mut(block).enumerate() {
                self.find(self.from(index * block, results), &mut stats);
                self.apply(index * block, &stats, results);
            }
        }
    }

    fn divisor(&self) -> usize {
        (self.sizes.block / self.sizes.inner).saturating_sub(self.params.correction)
    }

    /// Lines of contiguous elements, at most [`BLOCK`] each.
    ///
    /// # Safety
    ///
    /// As for [`normalize`](Part::normalize).
    unsafe fn lines(&self, results: &mut [MaybeUninit<u8>]) {
        let (kernel, len) = (self.kernel, self.sizes.block);
        let (size, wide) = (kernel.summary.element, kernel.loops.element);
        let together = (BATCH / (len * wide)).clamp(1, LINES);
        let batch = together * len;
        // Widened elements and their results, or copies of elements that the results replace.
        let mut buffer: Vec<u64> = match (kernel.widening, self.from) {
            (Some(_), _) => vec![0; (2 * batch * wide).div_ceil(8)],
            (None, None) => vec![0; (batch * size).div_ceil(8)],
            (None, Some(_)) => Vec::new(),
        };
        let buffer = buffer.as_mut_ptr().cast::<u8>();
        for (index, results) in results.chunks_mut(batch * size).enumerate() {
            let (elements, count) = (results.len() / size, results.len() / size / len);
            let from = self.from(index * batch * size, results);
            let to = results.as_mut_ptr().cast::<u8>();
            // SAFETY: lines that there are, and room for their results. The buffer has room for
            // `batch` elements, or for them and their results.
            unsafe {
                if let Some(widening) = kernel.widening {
                    let results = buffer.add(elements * wide);
                    (widening.widen.best())(from, elements, buffer.cast());
                    self.batch(Mapped { from: buffer, to: results, width: len, count });
                    (widening.narrow.best())(results.cast(), elements, to);
                } else if self.from.is_none() {
                    buffer.copy_from_nonoverlapping(from, elements * size);
                    self.batch(Mapped { from: buffer, to, width: len, count });
                } else {
                    self.batch(Mapped { from, to, width: len, count });
                }
            }
        }
    }

    /// Some lines of the type of the loops.
    ///
    /// # Safety
    ///
    /// At most [`LINES`] lines of initialised elements, and room for the results, apart from them.
    unsafe fn batch(&self, lines: Mapped) {
        let loops = &self.kernel.loops;
        let mut numbers = [[const { MaybeUninit::<u64>::uninit() }; LINES]; 2];
        let numbers = numbers.each_mut().map(|numbers| numbers.as_mut_ptr().cast::<u8>());
        // SAFETY: the caller keeps the contract; there is room for the numbers of all lines.
        unsafe {
            if let Some(softmax) = &loops.softmax {
                return softmax.lines(lines, numbers);
            }
            let mut accumulators = [const { MaybeUninit::<Accumulator>::uninit() }; LINES];
            let accumulators = accumulators.as_mut_ptr().cast::<u8>();
            let (stride, len) = (lines.width as isize, lines.width);
            let raw = RawLines { first: lines.from, stride, len, count: lines.count };
            loops.summary.reduce_lines(raw, accumulators);
            let (divisor, epsilon) = (self.divisor(), self.params.epsilon);
            (loops.prepare)(accumulators, lines.count, numbers, divisor, epsilon);
            (loops.lines.best())(lines, numbers.map(<*mut u8>::cast_const));
        }
    }

    /// Finds the numbers of the columns of a block.
    ///
    /// One block may be so large that threads share it; many blocks are shared before.
    ///
    /// # Safety
    ///
    /// There is a block of initialised elements of the kernel.
    unsafe fn find(&self, from: *const u8, stats: &mut ColumnStats) {
        let (summary, prepare) = (&self.kernel.summary, self.kernel.loops.prepare);
        let (divisor, epsilon) = (self.divisor(), self.params.epsilon);
        let (block, inner) = (self.sizes.block, self.sizes.inner);
        if inner == 1 {
            // SAFETY: a line of the kernel; there is room for its numbers.
            unsafe {
                let accumulator = reduce_slice(summary, from, block);
                prepare(accumulator.as_ptr(), 1, stats.as_mut_ptrs(), divisor, epsilon);
            }
        } else {
            let (size, count) = (stats.size, block / inner);
            let numbers = Numbers(stats.as_mut_ptrs());
            let mut columns = vec![(); inner];
            let bytes = block * summary.element;
            // SAFETY: the elements of the block are initialised, have no padding, and nobody writes
            // them meanwhile.
            let elements = unsafe { core::slice::from_raw_parts(from, bytes) };
            for_each_part_weighted(&mut columns, bytes, COLUMNS, |start, columns| {
                let width = WIDTH.min(columns.len());
                let rows = 1 + scratch_rows(summary, count);
                let mut memory = Accumulators::new(summary, width * rows);
                let accumulators = memory.as_mut_ptr();
                for (index, columns) in columns.chunks(width).enumerate() {
                    let column = start + index * width;
                    let first = elements[column * summary.element..].as_ptr();
                    let width = columns.len();
                    let rows = RawRows { first, stride: inner as isize, count, width };
                    // SAFETY: columns of the block; the memory has room for all of them, and
                    // they have numbers of their own.
                    unsafe {
                        let scratch = accumulators.add(width * summary.accumulator);
                        reduce_rows(summary, rows, accumulators, scratch);
                        prepare(accumulators, width, numbers.at(column * size), divisor, epsilon);
                    }
                }
            });
        }
        stats.repeat();
    }

    /// Writes what the elements of a block become, `start` bytes behind the first one of the part.
    ///
    /// # Safety
    ///
    /// There is a block of initialised elements of the kernel.
    unsafe fn apply(&self, start: usize, stats: &ColumnStats, results: &mut [MaybeUninit<u8>]) {
        let size = self.kernel.summary.element;
        // SAFETY: an initialised element without padding for each result, which nobody writes.
        let elements = self.from.map(|from| unsafe {
            core::slice::from_raw_parts(from.wrapping_add(start), results.len())
        });
        for_each_part(results, stats.width * size, |moved, results| {
            let from = elements.map(|elements| elements[moved..].as_ptr());
            if let (Some(from), None) = (from, self.kernel.widening) {
                // SAFETY: an initialised element for each result.
                return unsafe { self.kernel.apply_rows(from, stats, results) };
            }
            for (index, row) in results.chunks_mut(stats.width * size).enumerate() {
                let from = from.map(|from| from.wrapping_add(index * stats.width * size));
                // SAFETY: elements of a row that there is.
                unsafe { self.kernel.apply_row(from, stats, row) }
            }
        });
    }
}

impl NormalizeKernel {
    /// Writes what the elements of rows become, the last of which may be shorter.
    ///
    /// # Safety
    ///
    /// There is an initialised element for each result, of the type of the loops.
    unsafe fn apply_rows(
        &self,
        from: *const u8,
        stats: &ColumnStats,
        results: &mut [MaybeUninit<u8>],
    ) {
        let (apply, numbers) = (self.loops.columns.best(), stats.numbers_from(0));
        let (size, width) = (self.summary.element, stats.width);
        let count = results.len() / (width * size);
        let (rows, rest) = results.split_at_mut(count * width * size);
        let of_rest = from.wrapping_add(rows.len());
        // SAFETY: there are elements for the results, and two numbers for each column.
        unsafe {
            apply(Mapped { from, to: rows.as_mut_ptr().cast(), width, count }, numbers);
            if !rest.is_empty() {
                let (to, width) = (rest.as_mut_ptr().cast(), rest.len() / size);
                apply(Mapped { from: of_rest, to, width, count: 1 }, numbers);
            }
        }
    }

    /// Writes what the elements of a row become, by way of a buffer; without others, what those in place of
    /// the results become.
    ///
    /// # Safety
    ///
    /// There is an initialised element for each result, at most one for each column.
    unsafe fn apply_row(
        &self,
        from: Option<*const u8>,
        stats: &ColumnStats,
        results: &mut [MaybeUninit<u8>],
    ) {
        let apply = self.loops.columns.best();
        let size = self.summary.element;
        let mut buffers = [[const { MaybeUninit::<u64>::uninit() }; CHUNK]; 2];
        let [buffer, narrow] = buffers.each_mut().map(|buffer| buffer.as_mut_ptr().cast::<u8>());
        for (index, results) in results.chunks_mut(CHUNK * size).enumerate() {
            let (column, width) = (index * CHUNK, results.len() / size);
            let to = results.as_mut_ptr().cast::<u8>();
            let from = from.map_or(to.cast_const(), |from| from.wrapping_add(column * size));
            let numbers = stats.numbers_from(column);
            // SAFETY: there are elements, two numbers for each, and room for them in both buffers.
            unsafe {
                match self.widening {
                    None => {
                        buffer.copy_from_nonoverlapping(from, width * size);
                        apply(Mapped { from: buffer, to, width, count: 1 }, numbers);
                    }
                    Some(widening) => {
                        (widening.widen.best())(from, width, buffer.cast());
                        apply(Mapped { from: buffer, to: narrow, width, count: 1 }, numbers);
                        (widening.narrow.best())(narrow.cast(), width, to);
                    }
                }
            }
        }
    }
}
