//! Cumulative products, maxima and minima, and cumulative sums that are exclusive or start at the
//! end.

use core::ops::Range;

use super::erased::{BlockSizes, ErasedAxisMap, Results};
use super::parallel::for_each_part;
use super::reduce::lowered::Lowered;
use super::typed::Typed;
use crate::arrays;
use crate::element::{Float, Number};
use crate::ops::AxisParams;

/// Writes for every row of blocks `[n, inner]` the cumulative result of the rows up to it.
///
/// # Safety
///
/// The elements are that many initialised elements of the function's type, whole blocks. The results are the same memory,
/// or room for them that does not overlap the elements.
pub(super) type ScanFn = unsafe fn(*const u8, *mut u8, usize, BlockSizes, AxisParams);

/// Cumulative operations, from the table of operations.
#[derive(Clone, Copy)]
pub(crate) struct ScanKernel {
    scan: ScanFn,
}

impl ScanKernel {
    pub(crate) const fn product<T: Lowered + Number>() -> Typed<Self, T, T> {
        // SAFETY: the function is for elements and results of type `T`.
        unsafe { Typed::new(Self { scan: wrapping_scan::<T, RunningProduct>() }) }
    }

    pub(crate) const fn max<T: Number>() -> Typed<Self, T, T> {
        // SAFETY: as above.
        unsafe { Typed::new(Self { scan: scan::<T, Maximum> }) }
    }

    pub(crate) const fn min<T: Number>() -> Typed<Self, T, T> {
        // SAFETY: as above.
        unsafe { Typed::new(Self { scan: scan::<T, Minimum> }) }
    }
}

impl ScanKernel {
    /// `ln Σ e^x`
    pub(crate) const fn log_sum_exp<T: Float>() -> Typed<Self, T, T> {
        // SAFETY: as above.
        unsafe { Typed::new(Self { scan: log_sum_exp::<T> }) }
    }
}

/// A cumulative operation: combines an element with the result before it.
pub(super) trait ScanOp {
    /// The value before the first element, for exclusive operations.
    fn identity<T: Number>() -> T;
    fn step<T: Number>(before: T, element: T) -> T;
}

/// Generates the operations: the value before the first element, and the function of two elements.
macro_rules! scan_ops {
    ($($vis:vis $Op:ident: $identity:ident $combine:ident;)*) => {$(
        $vis struct $Op;

        impl ScanOp for $Op {
            fn identity<T: Number>() -> T {
                T::$identity
            }

            fn step<T: Number>(before: T, element: T) -> T {
                before.$combine(element)
            }
        }
    )*};
}

scan_ops! {
    pub(super) RunningSum: ZERO add;
    RunningProduct: ONE mul;
    // The table has no exclusive maxima and minima, so their values before the first element are never used.
    Maximum: ZERO maximum;
    Minimum: ZERO minimum;
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
        // SAFETY: as the caller promises.
        unsafe { scan_contiguous(self.scan, first, sizes, params, results) }
    }

    unsafe fn in_place(&self, sizes: BlockSizes, params: AxisParams, elements: Results<'_>) {
        // SAFETY: as the caller promises.
        unsafe { scan_in_place(self.scan, sizes, params, elements) }
    }
}

/// # Safety
///
/// Those of [`ErasedAxisMap::contiguous`], and the function is for the type of the elements.
pub(super) unsafe fn scan_contiguous(
    scan: ScanFn,
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
        // SAFETY: a part is whole blocks of elements, with room for the results.
        unsafe { scan(from, results.as_mut_ptr().cast(), results.len() / size, sizes, params) };
    });
}

/// # Safety
///
/// Those of [`ErasedAxisMap::in_place`], and the function is for the type of the elements.
pub(super) unsafe fn scan_in_place(
    scan: ScanFn,
    sizes: BlockSizes,
    params: AxisParams,
    elements: Results<'_>,
) {
    let size = elements.size();
    for_each_part(elements.into_bytes(), sizes.block * size, |_, elements| {
        let (first, len) = (elements.as_mut_ptr().cast::<u8>(), elements.len() / size);
        // SAFETY: a part is whole blocks of initialised elements.
        unsafe { scan(first, first, len, sizes, params) }
    });
}

/// The [`ScanFn`] of a sum or a product: signed and unsigned integers, which wrap around, share it.
pub(super) const fn wrapping_scan<T: Lowered + Number, O: ScanOp>() -> ScanFn {
    match T::WIDENING {
        None => scan::<T::Loop, O>,
        Some(_) => scan::<T, O>,
    }
}

/// [`ScanFn`] of one operation.
pub(super) unsafe fn scan<T: Number, O: ScanOp>(
    from: *const u8,
    to: *mut u8,
    len: usize,
    sizes: BlockSizes,
    params: AxisParams,
) {
    let BlockSizes { block, inner } = sizes;
    let (from, to) = (from.cast::<T>(), to.cast::<T>());
    // SAFETY: the caller promises whole blocks, and room for their results.
    unsafe {
        if inner < NARROW {
            return scan_lanes::<T, O>(from, to, len, sizes, params);
        }
        let mut before = vec![O::identity::<T::Sum>(); inner];
        for start in (0..len).step_by(block) {
            let (from, to) = (from.add(start), to.add(start));
            scan_rows::<T, O>(from, to, block / inner, &mut before, params);
        }
    }
}

/// Rows of fewer elements are scanned as lanes: a step of a row would wait until the one before is in memory.
pub(super) const NARROW: usize = 8;

/// The number of elements of lanes that are scanned at a time.
const SEGMENT: usize = 256;

/// About how many bytes of rows and of shorter lanes are copied before they are scanned.
pub(super) const COPIED: usize = 16 << 10;

/// Scans lanes: of floats, whose steps wait for the one before, up to eight at a time.
///
/// # Safety
///
/// Those of [`ScanFn`], for elements of this type, and rows narrower than [`NARROW`].
pub(super) unsafe fn scan_lanes<T: Number, O: ScanOp>(
    from: *const T,
    to: *mut T,
    len: usize,
    BlockSizes { block, inner }: BlockSizes,
    params: AxisParams,
) {
    // SAFETY: all pieces are whole lanes of the elements, with their results.
    unsafe {
        if inner > 1 {
            for start in (0..len).step_by(block) {
                let elements = copied(from.add(start), to.add(start), block);
                let mut lane = 0;
                if T::IS_FLOAT {
                    lane = scan_columns::<T, O, 4>(elements, inner, lane, params);
                    lane = scan_columns::<T, O, 2>(elements, inner, lane, params);
                }
                scan_columns::<T, O, 1>(elements, inner, lane, params);
            }
        } else if block > SEGMENT {
            let (count, mut lane) = (len / block, 0);
            // A step of integers takes no longer than loading the element.
            if T::IS_FLOAT {
                lane = scan_long_lanes::<T, O, 8>(from, to, block, lane..count, params);
                lane = scan_long_lanes::<T, O, 4>(from, to, block, lane..count, params);
                lane = scan_long_lanes::<T, O, 2>(from, to, block, lane..count, params);
            }
            scan_long_lanes::<T, O, 1>(from, to, block, lane..count, params);
        } else {
            let together = (COPIED / size_of::<T>() / block).max(1).next_multiple_of(8) * block;
            for start in (0..len).step_by(together) {
                let count = together.min(len - start);
                let mut rest = copied(from.add(start), to.add(start), count);
                if T::IS_FLOAT {
                    rest = scan_short_lanes::<T, O, 8>(rest, block, params);
                }
                scan_short_lanes::<T, O, 1>(rest, block, params);
            }
        }
    }
}

/// Scans groups of `N` contiguous lanes; returns the lanes that are left.
fn scan_short_lanes<T: Number, O: ScanOp, const N: usize>(
    elements: &mut [T],
    len: usize,
    params: AxisParams,
) -> &mut [T] {
    let mut groups = elements.chunks_exact_mut(N * len);
    for group in &mut groups {
        let mut lanes = group.chunks_exact_mut(len);
        let lanes: [&mut [T]; N] = arrays::from_fn(|_| lanes.next().expect("`N` lanes"));
        scan_steps::<T, O, N>(lanes, [O::identity::<T::Sum>(); N], true, params);
    }
    groups.into_remainder()
}

/// Scans groups of `N` long lanes, a segment of each at a time; returns the first lane that is left. The segments are
/// copied next to each other: lanes at a distance of a power of two evict each other from the cache.
///
/// # Safety
///
/// There are lanes of `len` elements with these numbers, and the same memory or other memory for the results.
unsafe fn scan_long_lanes<T: Number, O: ScanOp, const N: usize>(
    from: *const T,
    to: *mut T,
    len: usize,
    lanes: Range<usize>,
    params: AxisParams,
) -> usize {
    // The distance of two segments is no power of two either.
    let mut segments = [[T::ZERO; SEGMENT + 16]; N];
    let mut lane = lanes.start;
    while lane + N <= lanes.end {
        let mut before = [O::identity::<T::Sum>(); N];
        for index in 0..len.div_ceil(SEGMENT) {
            let at = if params.reverse { len.div_ceil(SEGMENT) - 1 - index } else { index };
            let (start, count) = (at * SEGMENT, SEGMENT.min(len - at * SEGMENT));
            let position = |number: usize| (lane + number) * len + start;
            // SAFETY: the segments are those of the lanes, and shorter than the copies.
            unsafe {
                for (number, segment) in segments.iter_mut().enumerate() {
                    let from = from.add(position(number));
                    from.copy_to_nonoverlapping(segment.as_mut_ptr(), count);
                }
                let mut rest = segments.iter_mut();
                let pieces = arrays::from_fn(|_| &mut rest.next().expect("`N` segments")[..count]);
                before = scan_steps::<T, O, N>(pieces, before, index == 0, params);
                for (number, segment) in segments.iter().enumerate() {
                    segment.as_ptr().copy_to_nonoverlapping(to.add(position(number)), count);
                }
            }
        }
        lane += N;
    }
    lane
}

/// Scans lanes step by step, from the results before them unless they start there; returns the last results.
#[inline(always)]
fn scan_steps<T: Number, O: ScanOp, const N: usize>(
    mut lanes: [&mut [T]; N],
    mut before: [T::Sum; N],
    starts: bool,
    params: AxisParams,
) -> [T::Sum; N] {
    let len = lanes[0].len();
    for index in 0..len {
        let at = if params.reverse { len - 1 - index } else { index };
        for (lane, before) in lanes.iter_mut().zip(&mut before) {
            let widened = lane[at].widen();
            let next = if starts && index == 0 { widened } else { O::step(*before, widened) };
            lane[at] = T::narrow(if params.exclusive { *before } else { next });
            *before = next;
        }
    }
    before
}

/// Scans groups of `N` columns of rows of `width` elements; returns the first column that is left.
fn scan_columns<T: Number, O: ScanOp, const N: usize>(
    elements: &mut [T],
    width: usize,
    mut column: usize,
    params: AxisParams,
) -> usize {
    let rows = elements.len() / width;
    while column + N <= width {
        let mut before = [O::identity::<T::Sum>(); N];
        for index in 0..rows {
            let at = width * if params.reverse { rows - 1 - index } else { index };
            let row = elements[at + column..].first_chunk_mut::<N>().expect("`N` columns");
            for (element, before) in row.iter_mut().zip(&mut before) {
                let widened = element.widen();
                let next = if index == 0 { widened } else { O::step(*before, widened) };
                *element = T::narrow(if params.exclusive { *before } else { next });
                *before = next;
            }
        }
        column += N;
    }
    column
}

/// Results, to which the elements are copied, unless they are the same memory.
///
/// # Safety
///
/// There are that many initialised elements, and the same memory or other memory for the results, which nothing else
/// refers to.
pub(super) unsafe fn copied<'a, T>(from: *const T, to: *mut T, len: usize) -> &'a mut [T] {
    // SAFETY: as the caller promises.
    unsafe {
        if from != to.cast_const() {
            to.copy_from_nonoverlapping(from, len);
        }
        core::slice::from_raw_parts_mut(to, len)
    }
}

/// Scans the rows of a block, from the last to the first if reversed.
///
/// # Safety
///
/// Those of [`ScanFn`], for one block; `before` has an element for each of a row.
unsafe fn scan_rows<T: Number, O: ScanOp>(
    from: *const T,
    to: *mut T,
    rows: usize,
    before: &mut [T::Sum],
    params: AxisParams,
) {
    let inner = before.len();
    before.fill(O::identity());
    for index in 0..rows {
        let at = inner * if params.reverse { rows - 1 - index } else { index };
        // SAFETY: the row is one of the block, and no other is referred to.
        let row = unsafe { copied(from.add(at), to.add(at), inner) };
        for (element, before) in row.iter_mut().zip(&mut *before) {
            let widened = element.widen();
            let next = if index == 0 { widened } else { O::step(*before, widened) };
            *element = T::narrow(if params.exclusive { *before } else { next });
            *before = next;
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
