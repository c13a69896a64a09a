//! Cumulative sums, products, maxima and minima, and logarithms of cumulative sums of exponentials.

use super::erased::{BlockSizes, ErasedAxisMap, Results};
use super::parallel::for_each_part;
use super::reduce::loops::{LoopElement, Widening};
use super::reduce::lowered::Lowered;
use super::typed::Typed;
use crate::element::{Float, Number};
use crate::ops::AxisParams;

/// Writes the cumulative results of blocks `[n, inner]`.
///
/// # Safety
///
/// The elements are that many initialised elements of the function's type, whole blocks. The results are the same memory,
/// or room for them that does not overlap the elements.
type ScanFn = unsafe fn(*const u8, *mut u8, usize, BlockSizes, AxisParams);

/// Cumulative operations, from the table of operations.
#[derive(Clone, Copy)]
pub(crate) enum ScanKernel {
    /// A step combines an element with the result before it.
    Steps(ScanLoops),
    /// With a state that is not its result.
    Whole(ScanFn),
}

impl ScanKernel {
    /// `Σ x`
    pub(crate) const fn sum<T: Lowered + Number>() -> Typed<Self, T, T> {
        Self::steps::<T, RunningSum>(0)
    }

    /// `Π x`
    pub(crate) const fn product<T: Lowered + Number>() -> Typed<Self, T, T> {
        Self::steps::<T, RunningProduct>(0)
    }

    /// The largest element; NaN if there is one.
    pub(crate) const fn max<T: Lowered + Number>() -> Typed<Self, T, T> {
        Self::steps::<T, RunningLargest>(T::FLIP)
    }

    /// The smallest element; NaN if there is one.
    pub(crate) const fn min<T: Lowered + Number>() -> Typed<Self, T, T> {
        Self::steps::<T, RunningLargest>(T::FLIP_REVERSED)
    }

    const fn steps<T: Lowered, O: ScanOp>(flip: u64) -> Typed<Self, T, T> {
        let loops = ScanLoops::new::<T::Loop, O>(flip, T::WIDENING);
        // SAFETY: the loops are for elements and results of type `T`, or of that to which they are widened.
        unsafe { Typed::new(Self::Steps(loops)) }
    }

    /// `ln Σ e^x`
    pub(crate) const fn log_sum_exp<T: Float>() -> Typed<Self, T, T> {
        // SAFETY: the function is for elements and results of type `T`.
        unsafe { Typed::new(Self::Whole(log_sum_exp::<T>)) }
    }

    /// As [`ScanFn`].
    ///
    /// # Safety
    ///
    /// The same.
    unsafe fn scan(
        &self,
        from: *const u8,
        to: *mut u8,
        len: usize,
        sizes: BlockSizes,
        params: AxisParams,
    ) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Steps(loops) => loops.scan(from, to, len, sizes, params),
                Self::Whole(scan) => scan(from, to, len, sizes, params),
            }
        }
    }
}

// SAFETY: every result is written, as `ScanFn` states.
unsafe impl ErasedAxisMap for ScanKernel {
    unsafe fn contiguous(
        &self,
        first: *const u8,
        sizes: BlockSizes,
        params: AxisParams,
        results: Results<'_>,
    ) {
        let (size, results) = (results.size(), results.into_bytes());
        // SAFETY: each result has an initialised element without padding, and nobody writes them.
        let from = unsafe { core::slice::from_raw_parts(first, results.len()) };
        for_each_part(results, sizes.block * size, |start, results| {
            let from = from[start..][..results.len()].as_ptr();
            let (to, len) = (results.as_mut_ptr().cast(), results.len() / size);
            // SAFETY: a part is whole blocks of elements, with room for the results.
            unsafe { self.scan(from, to, len, sizes, params) };
        });
    }

    unsafe fn in_place(&self, sizes: BlockSizes, params: AxisParams, elements: Results<'_>) {
        let size = elements.size();
        for_each_part(elements.into_bytes(), sizes.block * size, |_, elements| {
            let (first, len) = (elements.as_mut_ptr().cast::<u8>(), elements.len() / size);
            // SAFETY: a part is whole blocks of initialised elements.
            unsafe { self.scan(first, first, len, sizes, params) };
        });
    }
}

/// A cumulative operation: combines the result before an element with the element.
trait ScanOp {
    /// An element, or a result, as `combine` takes and returns it; the other way it is the same function.
    #[inline(always)]
    fn lower<T: LoopElement>(element: T, _: T::Bits) -> T {
        element
    }

    fn combine<T: LoopElement>(before: T, element: T) -> T;
}

struct RunningSum;
struct RunningProduct;

/// The largest after some bits are flipped, as [`Largest`](super::reduce::ops::Largest) states.
struct RunningLargest;

impl ScanOp for RunningSum {
    #[inline(always)]
    fn combine<T: LoopElement>(before: T, element: T) -> T {
        before.add(element)
    }
}

impl ScanOp for RunningProduct {
    #[inline(always)]
    fn combine<T: LoopElement>(before: T, element: T) -> T {
        before.mul(element)
    }
}

impl ScanOp for RunningLargest {
    #[inline(always)]
    fn lower<T: LoopElement>(element: T, bits: T::Bits) -> T {
        element.flip(bits)
    }

    #[inline(always)]
    fn combine<T: LoopElement>(before: T, element: T) -> T {
        before.maximum(element)
    }
}

/// Lanes in memory. The first element of each is a result, with which the others are combined.
#[derive(Clone, Copy)]
struct RawLanes {
    first: *mut u8,
    count: usize,
    /// From one lane to the next, in elements.
    distance: usize,
    /// From one element of a lane to the next, in elements.
    step: isize,
    /// The number of elements of a lane.
    len: usize,
}

/// Replaces the elements of lanes by cumulative results. The number has the bits that are flipped before elements are
/// compared.
///
/// # Safety
///
/// The elements are initialised, of the function's type, and nobody else refers to them. For loops over rows, the distance is
/// 1, and a row, which has an element of each lane, is not longer than a step.
type LanesFn = unsafe fn(RawLanes, u64);

/// The number of lanes of floats that are scanned together: a step of a lane waits for the one before. A step of integers
/// takes no longer than loading the element.
const TOGETHER: usize = 4;

/// Rows of fewer elements are scanned as lanes: a step of rows waits until the one before is in memory.
const NARROW: usize = 8;

/// The number of elements of long lanes that are scanned together at a time.
const SEGMENT: usize = 256;

/// The distance of such segments where they are scanned, with the result before: no power of two.
const DISTANCE: usize = SEGMENT + 16;

/// About how many bytes are copied before they are scanned.
const COPIED: usize = 16 << 10;

/// The loops of a cumulative operation; what calls them knows only the size of an element.
#[derive(Clone, Copy)]
pub(crate) struct ScanLoops {
    /// The size of an element, in bytes.
    size: usize,
    /// Whether several lanes are scanned together.
    together: bool,
    lanes: LanesFn,
    rows: LanesFn,
    /// The bits that are flipped before elements are compared.
    flip: u64,
    /// For 16-bit floats, whose loops are those of `f32`.
    widening: Option<&'static Widening>,
}

impl ScanLoops {
    const fn new<T: LoopElement, O: ScanOp>(
        flip: u64,
        widening: Option<&'static Widening>,
    ) -> Self {
        let (lanes, rows) = (lanes::<T, O> as LanesFn, rows::<T, O> as LanesFn);
        Self { size: size_of::<T>(), together: T::IS_FLOAT, lanes, rows, flip, widening }
    }

    /// As [`ScanFn`].
    ///
    /// # Safety
    ///
    /// The same.
    unsafe fn scan(
        &self,
        from: *const u8,
        to: *mut u8,
        len: usize,
        sizes: BlockSizes,
        params: AxisParams,
    ) {
        let (BlockSizes { block, inner }, size) = (sizes, self.size);
        // SAFETY: the elements are whole blocks, with room for their results, as the caller promises.
        unsafe {
            if let Some(widening) = self.widening {
                let loops = Self { widening: None, ..*self };
                return loops.scan_widened(widening, from, to, len, sizes, params);
            }
            if inner == 1 && block <= SEGMENT {
                let together = (COPIED / size / block).max(1).next_multiple_of(TOGETHER) * block;
                for start in (0..len).step_by(together) {
                    let (at, count) = (start * size, together.min(len - start));
                    let first = copied(from.add(at), to.add(at), count * size);
                    let lanes = RawLanes {
                        first,
                        count: count / block,
                        distance: block,
                        step: 1,
                        len: block,
                    };
                    (self.lanes)(lanes.scanned(params, size), self.flip);
                }
            } else if inner == 1 && len > block && self.together {
                self.scan_long_lanes(from, to, len / block, block, params);
            } else {
                for start in (0..len).step_by(block) {
                    self.scan_block(from.add(start * size), to.add(start * size), sizes, params);
                }
            }
            if params.exclusive {
                // All move by a row; what comes from another block is the first row of its own.
                let (row, others) = (inner * size, (len - inner) * size);
                let first = if params.reverse {
                    to.copy_from(to.add(row), others);
                    (block - inner) * size
                } else {
                    to.add(row).copy_from(to, others);
                    0
                };
                for start in (0..len).step_by(block) {
                    to.add(start * size + first).write_bytes(0, row);
                }
            }
        }
    }

    /// Scans the rows of a block, some of them at a time.
    ///
    /// # Safety
    ///
    /// Those of [`ScanFn`], for one block.
    unsafe fn scan_block(
        &self,
        from: *const u8,
        to: *mut u8,
        BlockSizes { block, inner }: BlockSizes,
        params: AxisParams,
    ) {
        let (row, count) = (inner * self.size, block / inner);
        let piece = (COPIED / row).max(1);
        for done in (0..count).step_by(piece) {
            let (rows, before) = (piece.min(count - done), done.min(1));
            let at = row * if params.reverse { count - done - rows } else { done };
            // SAFETY: the rows are those of the block, and the one before them has its results.
            unsafe {
                let first = copied(from.add(at), to.add(at), rows * row);
                let first = if params.reverse { first } else { first.sub(before * row) };
                let (step, len) = (inner as isize, rows + before);
                let lanes = RawLanes { first, count: inner, distance: 1, step, len };
                let scan = if inner < NARROW { self.lanes } else { self.rows };
                scan(lanes.scanned(params, self.size), self.flip);
            }
        }
    }

    /// Scans groups of contiguous lanes, a segment of each at a time. The segments are copied next to each other: lanes at
    /// a distance of a power of two evict each other from the cache.
    ///
    /// # Safety
    ///
    /// There are `count` lanes of `len` elements, and the same memory or other memory for the results.
    unsafe fn scan_long_lanes(
        &self,
        from: *const u8,
        to: *mut u8,
        count: usize,
        len: usize,
        params: AxisParams,
    ) {
        let size = self.size;
        let mut memory = [0_u64; TOGETHER * DISTANCE];
        let memory = memory.as_mut_ptr().cast::<u8>();
        for lane in (0..count).step_by(TOGETHER) {
            let group = TOGETHER.min(count - lane);
            let mut last = 0;
            for done in (0..len).step_by(SEGMENT) {
                let (elements, before) = (SEGMENT.min(len - done), done.min(1));
                let start = if params.reverse { len - done - elements } else { done };
                // The result before a segment stands on the side from which it is scanned.
                let (kept, from_kept, first) =
                    if params.reverse { (elements + 1, 1, 1) } else { (0, last, 1 - before) };
                // SAFETY: the segments are those of the lanes, and shorter than their copies.
                unsafe {
                    for number in 0..group {
                        let segment = memory.add(number * DISTANCE * size);
                        let at = ((lane + number) * len + start) * size;
                        segment.add(kept * size).copy_from(segment.add(from_kept * size), size);
                        segment.add(size).copy_from_nonoverlapping(from.add(at), elements * size);
                    }
                    let lanes = RawLanes {
                        first: memory.add(first * size),
                        count: group,
                        distance: DISTANCE,
                        step: 1,
                        len: elements + before,
                    };
                    (self.lanes)(lanes.scanned(params, size), self.flip);
                    for number in 0..group {
                        let segment = memory.add((number * DISTANCE + 1) * size);
                        let at = ((lane + number) * len + start) * size;
                        to.add(at).copy_from_nonoverlapping(segment, elements * size);
                    }
                }
                last = elements;
            }
        }
    }

    /// [`scan`](Self::scan) of whole blocks as `f32`.
    ///
    /// # Safety
    ///
    /// The same, for elements of the type that is widened.
    unsafe fn scan_widened(
        &self,
        widening: &Widening,
        from: *const u8,
        to: *mut u8,
        len: usize,
        sizes: BlockSizes,
        params: AxisParams,
    ) {
        let together = (COPIED / self.size / sizes.block).max(1) * sizes.block;
        let mut numbers = vec![0.0_f32; together.min(len)];
        for start in (0..len).step_by(together) {
            let (count, numbers) = (together.min(len - start), numbers.as_mut_ptr());
            let at = start * size_of::<u16>();
            // SAFETY: the blocks are among those of the caller, and there is a number for each element.
            unsafe {
                (widening.widen.best())(from.add(at), count, numbers);
                self.scan(numbers.cast(), numbers.cast(), count, sizes, params);
                (widening.narrow.best())(numbers, count, to.add(at));
            }
        }
    }
}

/// The memory of results, to which the elements are copied, unless it is the same.
///
/// # Safety
///
/// There are that many initialised bytes, and the same memory or other memory for the results.
unsafe fn copied(from: *const u8, to: *mut u8, bytes: usize) -> *mut u8 {
    if from != to.cast_const() {
        // SAFETY: as the caller promises.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
    }
    to
}

impl RawLanes {
    /// The lanes from the end from which they are scanned, if `first` is their first element in memory.
    fn scanned(self, params: AxisParams, size: usize) -> Self {
        if !params.reverse {
            return self;
        }
        let last = (self.len - 1) * self.step as usize * size;
        Self { first: self.first.wrapping_add(last), step: -self.step, ..self }
    }
}

/// The [`LanesFn`] of one operation.
unsafe fn lanes<T: LoopElement, O: ScanOp>(lanes: RawLanes, flip: u64) {
    /// Scans groups of `N` lanes; returns the first that is left.
    ///
    /// # Safety
    ///
    /// That of [`LanesFn`].
    #[inline(always)]
    unsafe fn groups_of<T: LoopElement, O: ScanOp, const N: usize>(
        RawLanes { first, count, distance, step, len }: RawLanes,
        mut lane: usize,
        bits: T::Bits,
    ) -> usize {
        while lane + N <= count {
            // SAFETY: the elements are those of the lanes.
            unsafe {
                let first = first.cast::<T>().add(lane * distance);
                let mut before = [T::ZERO; N];
                for (lane, before) in before.iter_mut().enumerate() {
                    *before = O::lower(first.add(lane * distance).read(), bits);
                }
                for index in 1..len {
                    let first = first.offset(index as isize * step);
                    for (lane, before) in before.iter_mut().enumerate() {
                        let element = first.add(lane * distance);
                        *before = O::combine(*before, O::lower(element.read(), bits));
                        element.write(O::lower(*before, bits));
                    }
                }
            }
            lane += N;
        }
        lane
    }

    let (mut lane, bits) = (0, T::bits(flip));
    // SAFETY: as the caller promises.
    unsafe {
        if T::IS_FLOAT {
            lane = groups_of::<T, O, TOGETHER>(lanes, lane, bits);
            lane = groups_of::<T, O, 2>(lanes, lane, bits);
        }
        groups_of::<T, O, 1>(lanes, lane, bits);
    }
}

/// The [`LanesFn`] of one operation on lanes next to each other, a row of elements at a time.
unsafe fn rows<T: LoopElement, O: ScanOp>(lanes: RawLanes, flip: u64) {
    /// A function of its own, so that the compiler knows that the rows do not overlap.
    #[inline(never)]
    fn step_row<T: LoopElement, O: ScanOp>(row: &mut [T], before: &[T], flip: u64) {
        let bits = T::bits(flip);
        for (element, &before) in row.iter_mut().zip(before) {
            let result = O::combine(O::lower(before, bits), O::lower(*element, bits));
            *element = O::lower(result, bits);
        }
    }

    let RawLanes { first, count, step, len, .. } = lanes;
    let first = first.cast::<T>();
    for index in 1..len as isize {
        // SAFETY: each row is initialised, and they do not overlap, as the caller promises.
        unsafe {
            let before = core::slice::from_raw_parts(first.offset((index - 1) * step), count);
            let row = core::slice::from_raw_parts_mut(first.offset(index * step), count);
            step_row::<T, O>(row, before, flip);
        }
    }
}

/// `Σ e^(x - largest)` of some elements, and the largest of them.
#[derive(Clone, Copy)]
struct RunningLogSumExp {
    largest: f64,
    sum: f64,
}

impl RunningLogSumExp {
    /// The state without any element.
    const NONE: Self = Self { largest: f64::NEG_INFINITY, sum: 0.0 };

    /// The state with one more element. The sum is at least 1 once there is one, so that nothing overflows
    /// and the argument of the logarithm is normal.
    #[inline(always)]
    fn with(self, x: f64) -> Self {
        let Self { largest, sum } = self;
        if x > largest {
            Self { largest: x, sum: sum * Float::exp(largest - x) + 1.0 }
        } else if x == largest {
            // The difference of equal infinities is NaN, so it is not computed.
            Self { largest, sum: sum + 1.0 }
        } else {
            // A NaN propagates to the sum.
            Self { largest, sum: sum + Float::exp(x - largest) }
        }
    }

    #[inline(always)]
    fn log(self) -> f64 {
        self.largest + Float::ln(self.sum)
    }
}

/// [`ScanFn`] for `ln Σ e^x`.
unsafe fn log_sum_exp<T: Float>(
    from: *const u8,
    to: *mut u8,
    len: usize,
    BlockSizes { block, inner }: BlockSizes,
    _params: AxisParams,
) {
    let (from, to) = (from.cast::<T>(), to.cast::<T>());
    let mut before = vec![RunningLogSumExp::NONE; inner];
    for position in 0..len {
        if position % block == 0 {
            before.fill(RunningLogSumExp::NONE);
        }
        let before = &mut before[position % inner];
        // SAFETY: there are `len` elements, and room for the results, as the caller promises.
        unsafe {
            *before = before.with(from.add(position).read().to_f64());
            to.add(position).write(T::from_f64(before.log()));
        }
    }
}
