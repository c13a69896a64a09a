//! Operations along an axis that keep the sizes and need two statistics of all elements of a lane,
//! such as their mean and their deviation from it.
//!
//! A contiguous lane is read again while it is in the cache. Other lanes are read twice and written
//! once: a pass over the rows of a block computes the statistics of all its columns.
//!
//! The statistics come from the loops of a [reduction](super::reduce); the function from them to the
//! results is compiled here, once for each operation and float type.

use core::mem::MaybeUninit;
use core::ptr::null;

use super::erased::{Affine, BlockSizes, ErasedAffine, ErasedAxisMap, Results};
use super::isa_fns::{IsaFns, isa_fns};
use super::normalization::{Mapped, Normalization};
use super::parallel::{for_each_part, for_each_part_weighted};
use super::reduce::contiguous::BLOCK;
use super::reduce::loops::{ErasedAccumulator, RawLines, RawRows, ReduceLoops, Widening};
use super::reduce::lowered::{LoopFloat, Lowered, exponentials, mean_and_m2, squares};
use super::reduce::pairwise::reduce_slice;
use super::reduce::two_pass::{LogSumExpState, MomentsState};
use super::reduce::{Accumulators, WIDTH, reduce_rows, scratch_rows};
use super::softmax::{Softmax, SoftmaxLoops};
use super::transpose::transpose_erased;
use super::typed::Typed;
use crate::arrays;
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

    /// One division for each lane: the reciprocal of a root is finite, unless it is that of 0.
    #[inline(always)]
    fn prepare(accumulator: MomentsState<T>, divisor: usize, epsilon: f64) -> [T; 2] {
        let [mean, squares] = accumulator.mean_and_m2();
        let variance = squares.div(T::from_f64(divisor as f64));
        [mean, T::ONE.div(variance.add(T::from_f64(epsilon)).sqrt())]
    }

    #[inline(always)]
    fn apply(self, element: T, [mean, scale]: [T; 2]) -> T {
        element.sub(mean).mul(scale)
    }
}

/// `x / √(Σ x² / n + epsilon)`
#[derive(Clone, Copy)]
pub(crate) struct RmsNormalization;

impl<T: Float> Normalization<T> for RmsNormalization {
    /// The sum of the squares.
    type Accumulator = T;

    #[inline(always)]
    fn new(_: Isa) -> Self {
        Self
    }

    /// One statistic: the other one is not read.
    #[inline(always)]
    fn prepare(squares: T, count: usize, epsilon: f64) -> [T; 2] {
        let mean = squares.div(T::from_f64(count as f64));
        [T::ZERO, T::ONE.div(mean.add(T::from_f64(epsilon)).sqrt())]
    }

    #[inline(always)]
    fn apply(self, element: T, [_, scale]: [T; 2]) -> T {
        element.mul(scale)
    }
}

/// Writes the two statistics of each accumulator: all first ones, and all second ones.
///
/// # Safety
///
/// There are that many initialised accumulators of the summary, and room for two statistics of each.
pub(crate) type PrepareFn = unsafe fn(*const u8, usize, [*mut u8; 2], usize, f64);

/// Writes the results for the elements of rows.
///
/// # Safety
///
/// Each row has initialised elements of the function's type; there are two statistics for each
/// column ([`columns`](NormalizeLoops::columns)) or for each row ([`lines`](NormalizeLoops::lines)),
/// and room for the same number of results, which does not overlap the rest.
pub(crate) type ApplyFn = unsafe fn(Mapped, [*const u8; 2]);

/// Writes the results for the elements of rows, multiplied with a weight for each column, plus a bias for
/// each column unless the pointer is null.
///
/// # Safety
///
/// As for [`ApplyFn`] with two statistics for each row, and there is an initialised weight for each column,
/// and a bias if its pointer is not null.
pub(crate) type AffineFn = unsafe fn(Mapped, [*const u8; 2], *const u8, *const u8);

/// The inner loops of a normalisation, for an element type that loops are compiled for.
#[derive(Clone, Copy)]
pub(crate) struct NormalizeLoops {
    /// The loops of the reduction that computes the two statistics.
    pub summary: ReduceLoops,
    pub prepare: PrepareFn,
    /// The loop with two statistics for each row.
    pub lines: IsaFns<ApplyFn>,
    /// The loop with two statistics for each column.
    pub columns: IsaFns<ApplyFn>,
    /// The loop with a weight and a bias for each column, if layers have them.
    pub affine: Option<IsaFns<AffineFn>>,
    /// The size of an element, in bytes.
    pub element: usize,
    /// The loops for contiguous lanes that take the same steps in another order.
    pub softmax: Option<SoftmaxLoops>,
}

/// A normalisation, from the table of operations.
#[derive(Clone, Copy)]
pub(crate) struct NormalizeKernel {
    loops: NormalizeLoops,
    /// The reduction of the elements in their own type.
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
            lines: if N::AVX512 { lines::all::<T, N>() } else { lines::up_to_avx2::<T, N>() },
            columns: match N::AVX512 {
                true => columns::all::<T, N>(),
                false => columns::up_to_avx2::<T, N>(),
            },
            affine: None,
            element: size_of::<T>(),
            softmax,
        }
    }

    /// The loops of a normalisation that layers follow with a weight and a bias.
    const fn with_affine<T: LoopFloat, N: Normalization<T>>(summary: ReduceLoops) -> Self {
        Self { affine: Some(affine::up_to_avx2::<T, N>()), ..Self::new::<T, N>(summary, None) }
    }
}

impl NormalizeKernel {
    const fn new<T: Lowered>(loops: NormalizeLoops, summary: ReduceLoops) -> Typed<Self, T, T> {
        // SAFETY: the loops are for type `T`, or for the type to which `T` is widened.
        unsafe { Typed::new(Self { loops, summary, widening: T::WIDENING }) }
    }

    /// `x - ln Σ e^x`
    pub(crate) const fn log_softmax<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        let loops = NormalizeLoops::new::<T::Loop, LogSoftmax>(exponentials::<T::Loop>(), None);
        Self::new(loops, exponentials::<T>())
    }

    /// `(x - mean) / √(variance + epsilon)`
    pub(crate) const fn standardize<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        let summary = mean_and_m2::<T::Loop>();
        let loops = NormalizeLoops::with_affine::<T::Loop, Standardization>(summary);
        Self::new(loops, mean_and_m2::<T>())
    }

    /// `x / √(mean(x²) + epsilon)`
    pub(crate) const fn rms_norm<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        let loops = NormalizeLoops::with_affine::<T::Loop, RmsNormalization>(squares::<T::Loop>());
        Self::new(loops, squares::<T>())
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
        // SAFETY: there is an initialised accumulator, and room for its two statistics.
        unsafe {
            let numbers = N::prepare(accumulators.add(index).read(), divisor, epsilon);
            first.cast::<T>().add(index).write(numbers[0]);
            second.cast::<T>().add(index).write(numbers[1]);
        }
    }
}

isa_fns! {
    /// [`ApplyFn`] with two statistics for each row.
    unsafe fn lines[T: LoopFloat, N: Normalization<T>](
        isa, rows: Mapped, numbers: [*const u8; 2]
    ) as ApplyFn {
        let normalization = N::new(isa);
        // SAFETY: there are two statistics for each row, as the caller promises.
        let [first, second] = arrays::from_fn(|k| unsafe {
            core::slice::from_raw_parts(numbers[k].cast::<T>(), rows.count)
        });
        // SAFETY: the rows have elements of this type and room for results, as the caller promises.
        let (from, to) = unsafe { rows.typed::<T>() };
        let lines = to.chunks_exact_mut(rows.width).zip(from.chunks_exact(rows.width));
        for ((to, from), (&first, &second)) in lines.zip(first.iter().zip(second)) {
            for (to, &from) in to.iter_mut().zip(from) {
                to.write(normalization.apply(from, [first, second]));
            }
        }
    }

    /// [`AffineFn`]
    unsafe fn affine[T: LoopFloat, N: Normalization<T>](
        isa, rows: Mapped, numbers: [*const u8; 2], weight: *const u8, bias: *const u8
    ) as AffineFn {
        let normalization = N::new(isa);
        // SAFETY: there are two statistics for each row, and a weight for each column, as the caller promises.
        let ([first, second], weight) = unsafe {
            (
                arrays::from_fn(|k| core::slice::from_raw_parts(numbers[k].cast::<T>(), rows.count)),
                core::slice::from_raw_parts(weight.cast::<T>(), rows.width),
            )
        };
        // SAFETY: unless the pointer is null, there is a bias for each column.
        let bias = (!bias.is_null())
            .then(|| unsafe { core::slice::from_raw_parts(bias.cast::<T>(), rows.width) });
        // SAFETY: the rows have elements of this type and room for results, as the caller promises.
        let (from, to) = unsafe { rows.typed::<T>() };
        let lines = to.chunks_exact_mut(rows.width).zip(from.chunks_exact(rows.width));
        for ((to, from), (&first, &second)) in lines.zip(first.iter().zip(second)) {
            let columns = to.iter_mut().zip(from).zip(weight);
            if let Some(bias) = bias {
                for (((to, &from), &weight), &bias) in columns.zip(bias) {
                    let normal = normalization.apply(from, [first, second]);
                    to.write(normal.mul(weight).add(bias));
                }
            } else {
                for ((to, &from), &weight) in columns {
                    to.write(normalization.apply(from, [first, second]).mul(weight));
                }
            }
        }
    }

    /// [`ApplyFn`] with two statistics for each column.
    unsafe fn columns[T: LoopFloat, N: Normalization<T>](
        isa, rows: Mapped, numbers: [*const u8; 2]
    ) as ApplyFn {
        let normalization = N::new(isa);
        // SAFETY: there are two statistics for each column, as the caller promises.
        let [first, second] = arrays::from_fn(|k| unsafe {
            core::slice::from_raw_parts(numbers[k].cast::<T>(), rows.width)
        });
        // SAFETY: the rows have elements of this type and room for results, as the caller promises.
        let (from, to) = unsafe { rows.typed::<T>() };
        for (to, from) in to.chunks_exact_mut(rows.width).zip(from.chunks_exact(rows.width)) {
            let numbers = first.iter().zip(second);
            for ((to, &from), (&first, &second)) in to.iter_mut().zip(from).zip(numbers) {
                to.write(normalization.apply(from, [first, second]));
            }
        }
    }
}

/// The maximum number of lanes that are normalised at a time.
const LINES: usize = 256;

/// Shorter lanes are normalised as the columns of their transpose, because they do not fill a vector.
const SHORT: usize = 16;

/// The maximum size in bytes of several lanes that are normalised at a time: they stay in the L1 cache.
const BATCH: usize = 1 << 13;

/// The number of elements of a row that are copied or widened at a time.
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
        // SAFETY: each result has an initialised element without padding, and nobody writes them.
        let elements = unsafe { core::slice::from_raw_parts(first, results.len()) };
        for_each_part(results, sizes.block * size, |start, results| {
            let from = Some(elements[start..].as_ptr());
            // SAFETY: a part is whole blocks of elements, with room for the results.
            unsafe {
                BlocksPart { kernel: self, params, sizes, from, affine: None }.normalize(results);
            }
        });
    }

    fn affine(&self, lane: usize) -> Option<&dyn ErasedAffine> {
        let has_loops = self.loops.affine.is_some() && self.widening.is_none() && lane <= BLOCK;
        has_loops.then_some(self)
    }

    unsafe fn in_place(&self, sizes: BlockSizes, params: AxisParams, elements: Results<'_>) {
        let size = elements.size();
        for_each_part(elements.into_bytes(), sizes.block * size, |_, elements| {
            // SAFETY: a part is whole blocks of initialised elements.
            unsafe {
                let part = BlocksPart { kernel: self, params, sizes, from: None, affine: None };
                part.normalize(elements);
            }
        });
    }
}

// SAFETY: `lines` writes every result of its part.
unsafe impl ErasedAffine for NormalizeKernel {
    unsafe fn contiguous(
        &self,
        first: *const u8,
        params: AxisParams,
        affine: Affine<'_>,
        results: Results<'_>,
    ) {
        let (size, results, lane) = (results.size(), results.into_bytes(), affine.weight.len());
        assert!(affine.bias.is_none_or(|bias| bias.len() == lane), "a bias for each weight");
        assert!(results.len().is_multiple_of(lane) && lane <= BLOCK * size, "whole lanes");
        let sizes = BlockSizes { block: lane / size, inner: 1 };
        // SAFETY: each result has an initialised element without padding, and nobody writes them.
        let elements = unsafe { core::slice::from_raw_parts(first, results.len()) };
        for_each_part(results, lane, |start, results| {
            let (from, affine) = (Some(elements[start..].as_ptr()), Some(affine));
            // SAFETY: a part is whole lanes of elements, with room for the results, and weights and biases
            // have an element for each of a lane.
            unsafe { BlocksPart { kernel: self, params, sizes, from, affine }.lines(results) }
        });
    }
}

/// A part of the blocks, which one thread normalises.
struct BlocksPart<'a> {
    kernel: &'a NormalizeKernel,
    params: AxisParams,
    sizes: BlockSizes,
    /// The elements; `None` if the results overwrite them.
    from: Option<*const u8>,
    /// The operations after the normalisation of a lane.
    affine: Option<Affine<'a>>,
}

/// Two statistics of each column of a block `[n, inner]`, repeated to a width of several vectors.
struct ColumnStats {
    numbers: [Vec<u64>; 2],
    /// The size of a statistic, in bytes.
    size: usize,
    inner: usize,
    width: usize,
}

/// If a row has fewer columns than this, several rows are taken at a time.
const WIDE: usize = 256;

/// Each thread takes a multiple of this many columns, because shorter pieces of rows are read slowly.
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

    /// The statistics of the columns from `first` on.
    fn numbers_from(&self, first: usize) -> [*const u8; 2] {
        assert!(first <= self.width, "columns that there are");
        let first = first * self.size;
        self.numbers.each_ref().map(|numbers| numbers.as_ptr().cast::<u8>().wrapping_add(first))
    }

    /// Repeats the statistics of the first `inner` columns.
    fn repeat(&mut self) {
        let (inner, size, width) = (self.inner, self.size, self.width);
        for numbers in self.as_mut_ptrs() {
            for column in (inner..width).step_by(inner) {
                // SAFETY: there is room for `width` statistics, and `width` is a multiple of `inner`.
                unsafe {
                    let to = numbers.add(column * size);
                    to.copy_from_nonoverlapping(numbers, inner * size);
                }
            }
        }
    }
}

/// Memory for two statistics of each column, which threads write.
struct Numbers([*mut u8; 2]);

// SAFETY: each thread writes the statistics of its own columns.
unsafe impl Sync for Numbers {}

impl Numbers {
    /// The memory for the columns that start this many bytes from the first.
    fn at(&self, bytes: usize) -> [*mut u8; 2] {
        self.0.map(|numbers| numbers.wrapping_add(bytes))
    }
}

impl BlocksPart<'_> {
    /// The elements for these results, which start `start` bytes after the first element of the part.
    fn from(&self, start: usize, results: &[MaybeUninit<u8>]) -> *const u8 {
        match self.from {
            Some(from) => from.wrapping_add(start),
            None => results.as_ptr().cast(),
        }
    }

    /// Writes the results of this part.
    ///
    /// # Safety
    ///
    /// Each result has an initialised element of the kernel, and there are whole blocks of them.
    unsafe fn normalize(&self, results: &mut [MaybeUninit<u8>]) {
        let (sizes, loops) = (self.sizes, &self.kernel.loops);
        // SAFETY: the caller promises whole blocks of elements, which both functions require.
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

    /// Normalises contiguous lanes of at most [`BLOCK`] elements each.
    ///
    /// # Safety
    ///
    /// As for [`normalize`](BlocksPart::normalize), and for [`batch`](BlocksPart::batch).
    unsafe fn lines(&self, results: &mut [MaybeUninit<u8>]) {
        let (kernel, len) = (self.kernel, self.sizes.block);
        let (size, wide) = (kernel.summary.element, kernel.loops.element);
        let together = (BATCH / (len * wide)).clamp(1, LINES);
        let batch = together * len;
        // Room for widened elements and their results, or for copies of elements that the results overwrite.
        let mut buffer: Vec<u64> = match (kernel.widening, self.from) {
            (Some(_), _) => vec![0; (2 * batch * wide).div_ceil(8)],
            (None, None) => vec![0; (batch * size).div_ceil(8)],
            (None, Some(_)) => Vec::new(),
        };
        let buffer = buffer.as_mut_ptr().cast::<u8>();
        for (index, results) in results.chunks_mut(batch * size).enumerate() {
            let (elements, count) = (results.len() / size, results.len() / size / len);
            let to = results.as_mut_ptr().cast::<u8>();
            let moved = index * batch * size;
            let from = self.from.map_or(to.cast_const(), |from| from.wrapping_add(moved));
            // SAFETY: the lanes are within the part, and have room for their results. The buffer has room
            // for `batch` elements, or for them and their results.
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

    /// Normalises some lanes of the type of the loops.
    ///
    /// # Safety
    ///
    /// There are at most [`LINES`] lanes of initialised elements, and room for the results, which does not
    /// overlap them; a weight and a bias have an element of the type of the loops for each of a lane.
    unsafe fn batch(&self, lines: Mapped) {
        let loops = &self.kernel.loops;
        let mut numbers = [[const { MaybeUninit::<u64>::uninit() }; LINES]; 2];
        let numbers = numbers.each_mut().map(|numbers| numbers.as_mut_ptr().cast::<u8>());
        // SAFETY: as the caller promises; there is room for the statistics of all lanes.
        unsafe {
            if lines.width < SHORT && self.affine.is_none() {
                return self.short(lines, numbers);
            }
            if let Some(softmax) = &loops.softmax {
                return softmax.lines(lines, numbers);
            }
            let mut accumulators = [const { MaybeUninit::<ErasedAccumulator>::uninit() }; LINES];
            let accumulators = accumulators.as_mut_ptr().cast::<u8>();
            let (stride, len) = (lines.width as isize, lines.width);
            let raw = RawLines { first: lines.from, stride, len, count: lines.count };
            match len < SHORT {
                true => loops.summary.reduce_transposed(raw, accumulators),
                false => loops.summary.reduce_lines(raw, accumulators),
            }
            let (divisor, epsilon) = (self.divisor(), self.params.epsilon);
            (loops.prepare)(accumulators, lines.count, numbers, divisor, epsilon);
            let numbers = numbers.map(<*mut u8>::cast_const);
            match (self.affine, &loops.affine) {
                (Some(Affine { weight, bias }), Some(affine)) => {
                    let bias = bias.map_or(null(), <[u8]>::as_ptr);
                    (affine.best())(lines, numbers, weight.as_ptr(), bias);
                }
                _ => (loops.lines.best())(lines, numbers),
            }
        }
    }

    /// Normalises lanes shorter than [`SHORT`], as the columns of their transpose.
    ///
    /// # Safety
    ///
    /// As for [`batch`](BlocksPart::batch); the numbers are memory for two statistics of each lane.
    #[inline(never)]
    unsafe fn short(&self, lines: Mapped, numbers: [*mut u8; 2]) {
        let loops = &self.kernel.loops;
        let Mapped { from, to, width: len, count } = lines;
        assert!(len * count * loops.element <= BATCH && count <= LINES, "lanes of a batch");
        let mut buffers = [[const { MaybeUninit::<u64>::uninit() }; BATCH / 8]; 2];
        let [rows, results] = buffers.each_mut().map(|buffer| buffer.as_mut_ptr().cast::<u8>());
        let mut accumulators = [const { MaybeUninit::<ErasedAccumulator>::uninit() }; LINES];
        let accumulators = accumulators.as_mut_ptr().cast::<u8>();
        // SAFETY: the caller promises the lanes; the buffers have room for their elements and results, which are
        // written before they are read, and there are accumulators and two statistics for each lane.
        unsafe {
            transpose_erased(loops.element, from, [count, len], rows);
            let raw = RawRows { first: rows, stride: count as isize, count: len, width: count };
            (loops.summary.rows.best())(&loops.summary, raw, accumulators, true);
            (loops.prepare)(accumulators, count, numbers, self.divisor(), self.params.epsilon);
            let mapped = Mapped { from: rows, to: results, width: count, count: len };
            (loops.columns.best())(mapped, numbers.map(<*mut u8>::cast_const));
            transpose_erased(loops.element, results, [len, count], to);
        }
    }

    /// Computes the statistics of the columns of a block.
    ///
    /// Threads share one block if it is large enough; if there are many, the caller has shared them out.
    ///
    /// # Safety
    ///
    /// `from` points to a block of initialised elements of the kernel.
    unsafe fn find(&self, from: *const u8, stats: &mut ColumnStats) {
        let (summary, prepare) = (&self.kernel.summary, self.kernel.loops.prepare);
        let (divisor, epsilon) = (self.divisor(), self.params.epsilon);
        let (block, inner) = (self.sizes.block, self.sizes.inner);
        if inner == 1 {
            // SAFETY: the block is a lane of the kernel, and there is room for its statistics.
            unsafe {
                let accumulator = reduce_slice(summary, from, block);
                prepare(accumulator.as_ptr(), 1, stats.as_mut_ptrs(), divisor, epsilon);
            }
        } else {
            let (size, count) = (stats.size, block / inner);
            let numbers = Numbers(stats.as_mut_ptrs());
            let mut columns = vec![(); inner];
            let bytes = block * summary.element;
            // SAFETY: the elements of the block are initialised, have no padding, and are not written
            // meanwhile.
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
                    // SAFETY: the columns are within the block; the memory has room for all of them, and
                    // each part of them has separate statistics.
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

    /// Writes the results for a block, which starts `start` bytes after the first element of the part.
    ///
    /// # Safety
    ///
    /// There is a block of initialised elements of the kernel.
    unsafe fn apply(&self, start: usize, stats: &ColumnStats, results: &mut [MaybeUninit<u8>]) {
        let size = self.kernel.summary.element;
        // SAFETY: each result has an initialised element without padding, and nobody writes them.
        let elements = self.from.map(|from| unsafe {
            core::slice::from_raw_parts(from.wrapping_add(start), results.len())
        });
        for_each_part(results, stats.width * size, |moved, results| {
            let from = elements.map(|elements| elements[moved..].as_ptr());
            if let (Some(from), None) = (from, self.kernel.widening) {
                // SAFETY: each result has an initialised element.
                return unsafe { self.kernel.apply_rows(from, stats, results) };
            }
            for (index, row) in results.chunks_mut(stats.width * size).enumerate() {
                let from = from.map(|from| from.wrapping_add(index * stats.width * size));
                // SAFETY: the elements are those of a row of the block.
                unsafe { self.kernel.apply_row(from, stats, row) }
            }
        });
    }
}

impl NormalizeKernel {
    /// Writes the results for the elements of rows; the last row may be shorter.
    ///
    /// # Safety
    ///
    /// Each result has an initialised element of the type of the loops.
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
        // SAFETY: each result has an element, and each column two statistics.
        unsafe {
            apply(Mapped { from, to: rows.as_mut_ptr().cast(), width, count }, numbers);
            if !rest.is_empty() {
                let (to, width) = (rest.as_mut_ptr().cast(), rest.len() / size);
                apply(Mapped { from: of_rest, to, width, count: 1 }, numbers);
            }
        }
    }

    /// Writes the results for the elements of a row, by way of a buffer; `None` for elements that the
    /// results overwrite.
    ///
    /// # Safety
    ///
    /// Each result has an initialised element, and there is at most one for each column.
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
            // SAFETY: there are elements, two statistics for each, and room for them in both buffers.
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
