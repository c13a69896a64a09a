//! Cumulative products, maxima and minima, and cumulative sums that are exclusive or start at the
//! end.

use super::erased::Results;
use super::erased::{BlockSizes, ErasedAxisMap};
use super::parallel::for_each_part;
use super::reduce::lowered::Lowered;
use super::typed::Typed;
use crate::element::{Float, Number};
use crate::ops::AxisParams;

/// Replaces every row of blocks `[n, inner]` by the cumulative result of the rows up to it.
///
/// # Safety
///
/// The elements are whole blocks of initialised elements of the function's type.
pub(super) type ScanFn = unsafe fn(*mut u8, usize, BlockSizes, AxisParams);

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

// SAFETY: every result is written: the elements are copied to the results, and then scanned in place.
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

/// About how many bytes are copied before they are scanned.
const COPIED: usize = 16 << 10;

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
    let bytes = sizes.block * size;
    // Some blocks are scanned right after they are copied, while they are in the cache.
    let together = (COPIED / bytes).max(1) * bytes;
    for_each_part(results, bytes, |start, results| {
        for (index, results) in results.chunks_mut(together).enumerate() {
            let from = &from[start + index * together..][..results.len()];
            let results = results.write_copy_of_slice(from);
            // SAFETY: the results are whole blocks of elements, which were copied.
            unsafe { scan(results.as_mut_ptr(), results.len() / size, sizes, params) };
        }
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
        let (first, len) = (elements.as_mut_ptr().cast(), elements.len() / size);
        // SAFETY: a part is whole blocks of initialised elements.
        unsafe { scan(first, len, sizes, params) }
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
unsafe fn scan<T: Number, O: ScanOp>(
    first: *mut u8,
    len: usize,
    sizes: BlockSizes,
    params: AxisParams,
) {
    // SAFETY: there are `len` elements, as the caller promises.
    let elements = unsafe { core::slice::from_raw_parts_mut(first.cast::<T>(), len) };
    if sizes.inner == 1 {
        return scan_lanes::<T, O>(elements, sizes.block, params);
    }
    let mut row_before = vec![O::identity::<T::Sum>(); sizes.inner];
    for block in elements.chunks_exact_mut(sizes.block) {
        scan_rows::<T, O>(block, &mut row_before, params);
    }
}

/// The number of lanes of floats that are scanned at a time: each step of a lane waits for the one before.
const LANES: usize = 8;

/// Scans contiguous lanes of `len` elements.
pub(super) fn scan_lanes<T: Number, O: ScanOp>(elements: &mut [T], len: usize, params: AxisParams) {
    let mut rest = elements;
    // A step of integers takes no longer than loading the element.
    if T::IS_FLOAT {
        let mut together = rest.chunks_exact_mut(LANES * len);
        for lanes in &mut together {
            scan_some_lanes::<T, O, LANES>(lanes, len, params);
        }
        rest = together.into_remainder();
    }
    for lane in rest.chunks_exact_mut(len) {
        scan_some_lanes::<T, O, 1>(lane, len, params);
    }
}

/// Scans `N` lanes, step by step.
#[inline(always)]
fn scan_some_lanes<T: Number, O: ScanOp, const N: usize>(
    elements: &mut [T],
    len: usize,
    params: AxisParams,
) {
    let mut lanes = elements.chunks_exact_mut(len);
    let mut lanes: [&mut [T]; N] = core::array::from_fn(|_| lanes.next().expect("`N` lanes"));
    let mut before = [O::identity::<T::Sum>(); N];
    for index in 0..len {
        let at = if params.reverse { len - 1 - index } else { index };
        for (lane, before) in lanes.iter_mut().zip(&mut before) {
            let widened = lane[at].widen();
            let next = if index == 0 { widened } else { O::step(*before, widened) };
            lane[at] = T::narrow(if params.exclusive { *before } else { next });
            *before = next;
        }
    }
}

/// Scans the rows of a block, from the last to the first if reversed.
fn scan_rows<T: Number, O: ScanOp>(block: &mut [T], before: &mut [T::Sum], params: AxisParams) {
    let inner = before.len();
    let rows = block.len() / inner;
    let mut is_first = true;
    before.fill(O::identity());
    for index in 0..rows {
        let at = if params.reverse { rows - 1 - index } else { index };
        let row = &mut block[at * inner..][..inner];
        for (element, before) in row.iter_mut().zip(&mut *before) {
            let widened = element.widen();
            let next = if is_first { widened } else { O::step(*before, widened) };
            *element = T::narrow(if params.exclusive { *before } else { next });
            *before = next;
        }
        is_first = false;
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
    first: *mut u8,
    len: usize,
    sizes: BlockSizes,
    _params: AxisParams,
) {
    // SAFETY: there are `len` elements, as the caller promises.
    let elements = unsafe { core::slice::from_raw_parts_mut(first.cast::<T>(), len) };
    let mut before = vec![RunningLogSumExp::NONE; sizes.inner];
    for block in elements.chunks_exact_mut(sizes.block) {
        before.fill(RunningLogSumExp::NONE);
        for row in block.chunks_exact_mut(sizes.inner) {
            for (element, before) in row.iter_mut().zip(&mut before) {
                *before = before.with(element.to_f64());
                *element = T::from_f64(before.log());
            }
        }
    }
}
