//! Cumulative sums.

use super::erased::Results;
use super::erased::{BlockSizes, ErasedAxisMap};
use super::reduce::loops::LoopElement;
use super::reduce::lowered::Lowered;
use super::scan::{RunningSum, ScanFn, scan_contiguous, scan_in_place, scan_lanes, wrapping_scan};
use super::typed::Typed;
use crate::element::{Element, Number};
use crate::ops::AxisParams;

/// Cumulative sums, from the table of operations.
#[derive(Clone, Copy)]
pub(crate) struct CumsumKernel {
    /// Cumulative sums from the first element on, which include the element itself.
    forward: ScanFn,
    /// Reversed or exclusive cumulative sums.
    directed: ScanFn,
}

impl CumsumKernel {
    pub(crate) const fn new<T: Lowered + Number>() -> Typed<Self, T, T> {
        let forward: ScanFn = match T::WIDENING {
            None => cumsum::<T::Loop>,
            Some(_) => cumsum_widened::<T>,
        };
        // SAFETY: the functions are for elements and results of type `T`.
        unsafe { Typed::new(Self { forward, directed: wrapping_scan::<T, RunningSum>() }) }
    }

    fn scan(&self, params: AxisParams) -> ScanFn {
        if params.exclusive || params.reverse { self.directed } else { self.forward }
    }
}

// SAFETY: every result is written: the elements are copied to the results, and then summed in place.
unsafe impl ErasedAxisMap for CumsumKernel {
    unsafe fn contiguous(
        &self,
        first: *const u8,
        sizes: BlockSizes,
        params: AxisParams,
        results: Results<'_>,
    ) {
        // SAFETY: as the caller promises.
        unsafe { scan_contiguous(self.scan(params), first, sizes, params, results) }
    }

    unsafe fn in_place(&self, sizes: BlockSizes, params: AxisParams, elements: Results<'_>) {
        // SAFETY: as the caller promises.
        unsafe { scan_in_place(self.scan(params), sizes, params, elements) }
    }
}

/// The forward [`ScanFn`] for types whose sums are kept in the element type.
unsafe fn cumsum<T: LoopElement>(
    first: *mut u8,
    len: usize,
    sizes: BlockSizes,
    params: AxisParams,
) {
    // SAFETY: there are `len` elements, as the caller promises.
    let elements = unsafe { core::slice::from_raw_parts_mut(first.cast::<T>(), len) };
    if sizes.inner == 1 {
        return scan_lanes::<T, RunningSum>(elements, sizes.block, params);
    }
    for block in elements.chunks_exact_mut(sizes.block) {
        let mut rows = block.chunks_exact_mut(sizes.inner);
        let Some(mut before) = rows.next() else { continue };
        for row in rows {
            for (element, before) in row.iter_mut().zip(&*before) {
                *element = before.add(*element);
            }
            before = row;
        }
    }
}

/// The forward [`ScanFn`] for types whose sums are kept in another type.
unsafe fn cumsum_widened<T: Number>(
    first: *mut u8,
    len: usize,
    sizes: BlockSizes,
    params: AxisParams,
) {
    // SAFETY: there are `len` elements, as the caller promises.
    let elements = unsafe { core::slice::from_raw_parts_mut(first.cast::<T>(), len) };
    if sizes.inner == 1 {
        return scan_lanes::<T, RunningSum>(elements, sizes.block, params);
    }
    for block in elements.chunks_exact_mut(sizes.block) {
        let mut sums = vec![T::Sum::ZERO; sizes.inner];
        for row in block.chunks_exact_mut(sizes.inner) {
            for (element, sum) in row.iter_mut().zip(&mut sums) {
                *sum = sum.add(element.widen());
                *element = T::narrow(*sum);
            }
        }
    }
}
