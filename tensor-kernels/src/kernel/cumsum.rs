//! Cumulative sums.

use super::erased::Results;
use super::erased::{BlockSizes, ErasedAxisMap};
use super::reduce::loops::LoopElement;
use super::reduce::lowered::Lowered;
use super::scan::{
    COPIED, NARROW, RunningSum, ScanFn, copied, scan, scan_contiguous, scan_in_place, scan_lanes,
    wrapping_scan,
};
use super::typed::Typed;
use crate::element::Number;
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
            Some(_) => scan::<T, RunningSum>,
        };
        // SAFETY: the functions are for elements and results of type `T`.
        unsafe { Typed::new(Self { forward, directed: wrapping_scan::<T, RunningSum>() }) }
    }

    fn scan(&self, params: AxisParams) -> ScanFn {
        if params.exclusive || params.reverse { self.directed } else { self.forward }
    }
}

// SAFETY: every result is written, as `ScanFn` states.
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
    from: *const u8,
    to: *mut u8,
    len: usize,
    sizes: BlockSizes,
    params: AxisParams,
) {
    let BlockSizes { block, inner } = sizes;
    let (from, to) = (from.cast::<T>(), to.cast::<T>());
    // SAFETY: the caller promises whole blocks, and room for their results. Two rows of a block do not overlap.
    unsafe {
        if inner < NARROW {
            return scan_lanes::<T, RunningSum>(from, to, len, sizes, params);
        }
        let piece = (COPIED / size_of::<T>() / inner).max(1) * inner;
        for start in (0..len).step_by(block) {
            let mut before: Option<&[T]> = None;
            for done in (0..block).step_by(piece) {
                let count = piece.min(block - done);
                let rows = copied(from.add(start + done), to.add(start + done), count);
                for row in rows.chunks_exact_mut(inner) {
                    for (element, before) in row.iter_mut().zip(before.unwrap_or_default()) {
                        *element = before.add(*element);
                    }
                    before = Some(row);
                }
            }
        }
    }
}
