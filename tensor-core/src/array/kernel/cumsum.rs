//! Cumulative sums.

use super::axis_map::{AxisParams, BlockSizes, ErasedAxisMap};
use super::parallel::for_each_part;
use super::reduce::loops::LoopElement;
use super::reduce::lowered::Lowered;
use super::reduce::results::Results;
use super::scan::{ScanFn, Sum, scan, scan_contiguous, scan_in_place};
use super::typed::Typed;
use crate::element::{Element, Number};

/// Replaces every row of blocks `[n, inner]` by the sum of the rows up to it, one after the other.
///
/// # Safety
///
/// There are whole blocks of initialised elements of the type of the function.
type CumsumFn = unsafe fn(*mut u8, usize, BlockSizes);

/// Cumulative sums, from the table of operations.
#[derive(Clone, Copy)]
pub(crate) struct CumsumKernel {
    cumsum: CumsumFn,
    /// In another direction, or without the element itself.
    directed: ScanFn,
}

impl CumsumKernel {
    pub(crate) const fn new<T: Lowered + Number>() -> Typed<Self, T, T> {
        let cumsum: CumsumFn = match T::WIDENING {
            None => cumsum::<T::Loop>,
            Some(_) => cumsum_widened::<T>,
        };
        // SAFETY: the function is for this type.
        unsafe { Typed::new(Self { cumsum, directed: scan::<T, Sum> }) }
    }
}

// SAFETY: results are copies of the elements at first.
unsafe impl ErasedAxisMap for CumsumKernel {
    unsafe fn contiguous(
        &self,
        first: *const u8,
        sizes: BlockSizes,
        params: AxisParams,
        results: Results<'_>,
    ) {
        if params.exclusive || params.reverse {
            // SAFETY: as the caller promises.
            return unsafe { scan_contiguous(self.directed, first, sizes, params, results) };
        }
        let (size, results) = (results.size(), results.into_bytes());
        // SAFETY: an initialised element without padding for each result, which nobody writes.
        let from = unsafe { core::slice::from_raw_parts(first, results.len()) };
        for_each_part(results, sizes.block * size, |start, results| {
            let first = results.as_mut_ptr().cast::<u8>();
            // One block is summed up soon after it is written.
            for block in (0..results.len()).step_by(sizes.block * size) {
                // SAFETY: a block of elements, and room for it.
                unsafe {
                    let (to, bytes) = (first.add(block), sizes.block * size);
                    to.copy_from_nonoverlapping(from[start + block..].as_ptr(), bytes);
                    (self.cumsum)(to, sizes.block, sizes);
                }
            }
        });
    }

    unsafe fn in_place(&self, sizes: BlockSizes, params: AxisParams, elements: Results<'_>) {
        if params.exclusive || params.reverse {
            // SAFETY: as the caller promises.
            return unsafe { scan_in_place(self.directed, sizes, params, elements) };
        }
        let size = elements.size();
        for_each_part(elements.into_bytes(), sizes.block * size, |_, elements| {
            let (first, len) = (elements.as_mut_ptr().cast(), elements.len() / size);
            // SAFETY: whole blocks.
            unsafe { (self.cumsum)(first, len, sizes) }
        });
    }
}

/// [`CumsumFn`] where sums are kept in the type of the elements.
unsafe fn cumsum<T: LoopElement>(first: *mut u8, len: usize, sizes: BlockSizes) {
    // SAFETY: there are that many elements.
    let elements = unsafe { core::slice::from_raw_parts_mut(first.cast::<T>(), len) };
    for block in elements.chunks_exact_mut(sizes.block) {
        if sizes.inner == 1 {
            let mut sum = T::from_f64(-0.0);
            for element in block {
                sum = sum.add(*element);
                *element = sum;
            }
            continue;
        }
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

/// [`CumsumFn`] where sums are kept in another type.
unsafe fn cumsum_widened<T: Number>(first: *mut u8, len: usize, sizes: BlockSizes) {
    // SAFETY: there are that many elements.
    let elements = unsafe { core::slice::from_raw_parts_mut(first.cast::<T>(), len) };
    for block in elements.chunks_exact_mut(sizes.block) {
        if sizes.inner == 1 {
            let mut sum = T::Sum::from_f64(-0.0);
            for element in block {
                sum = sum.add(element.widen());
                *element = T::narrow(sum);
            }
            continue;
        }
        let mut sums = vec![T::Sum::ZERO; sizes.inner];
        for row in block.chunks_exact_mut(sizes.inner) {
            for (element, sum) in row.iter_mut().zip(&mut sums) {
                *sum = sum.add(element.widen());
                *element = T::narrow(*sum);
            }
        }
    }
}
