//! The driver of element-wise operations: one for all of them, whatever the shapes of their operands.
//!
//! It brings the operands into blocks that an inner loop takes: all of the result at once where every
//! operand is contiguous along it or one element; else planes of rows of small operands that are
//! [materialised](crate::array::plan::MaterializePlan); else [tile by tile](super::tiles). Elements are
//! moved by their size, not by their type, and the [kernel](Kernel) is called through a pointer, so that
//! nothing here is compiled again for another operation.

mod blocks;
mod contiguous;

use core::ptr::null;

use blocks::run_part;
pub(crate) use contiguous::Splats;
use contiguous::write_contiguous;

use super::parallel;
use crate::array::layout::{ErasedView, is_contiguous, num_elements};
use crate::array::plan::{Loops, StaticPlan};
use crate::array::storage::RawBuffer;
use crate::ops::{CallPolicy, Kernel, Params};

/// What an operation does, to which operands, and with which parameters.
struct Call<'a, const N: usize> {
    kernel: &'a Kernel<N>,
    params: Params,
    operands: &'a [ErasedView<'a>; N],
}

/// What threads share. Parts of the results are written by several, each its own.
struct Shared<'a, const N: usize> {
    call: &'a Call<'a, N>,
    out: *mut u8,
}

// SAFETY: the elements of operands and results are numbers, which several threads may read, and each
// part of the results is written by one. Only kernels whose policy lets threads run them are run by
// several, and their parameters are numbers, or an expression that is `Sync`: see
// `chunk::OfExpression`.
unsafe impl<const N: usize> Sync for Shared<'_, N> {}

impl<const N: usize> Shared<'_, N> {
    /// Computes the results of some of the loops, of which there are `start` before them.
    ///
    /// # Safety
    ///
    /// As [`Driver`], for these loops.
    unsafe fn run_part(&self, part: &Loops<'_, N>, start: usize) {
        // SAFETY: as the caller promises; the results of the loops before end there.
        unsafe { run_part(self.call, part, self.out.add(start * self.call.kernel.result_bytes)) }
    }
}

/// Computes all results that the loops lead to, from `out` on, on one thread or on several.
///
/// # Safety
///
/// `out` is writable for the results of all steps of the loops and aligned for their type, and the
/// operands have elements of the types of the kernel. Results overlap an operand only where it has
/// the strides of the results and begins with them. The parameters are what the kernel takes.
type Driver<const N: usize> = unsafe fn(&Call<'_, N>, &Loops<'_, N>, *mut u8);

/// The driver for `len` results.
#[inline]
fn driver<const N: usize>(kernel: &Kernel<N>, len: usize) -> Driver<N> {
    let bytes = len.saturating_mul(kernel.result_bytes);
    if kernel.policy == CallPolicy::Sequential || !parallel::is_parallel(bytes) {
        run_part
    } else {
        run_on_threads
    }
}

/// Computes all results that the loops lead to, from `out` on, on several threads.
///
/// # Safety
///
/// As [`Driver`].
#[cold]
unsafe fn run_on_threads<const N: usize>(call: &Call<'_, N>, loops: &Loops<'_, N>, out: *mut u8) {
    let shared = Shared { call, out };
    // SAFETY: as the caller promises; the parts are apart.
    let run_part = |part: &Loops<'_, N>, start| unsafe { shared.run_part(part, start) };
    let bytes = loops.len().saturating_mul(call.kernel.result_bytes);
    parallel::for_each_range_of(loops, bytes, &run_part);
}

/// The loops over a result: the constant plan where it holds, else computed from the strides.
fn loops_of<'a, const N: usize>(
    plan: &'a Option<StaticPlan<N>>,
    sizes: &[usize],
    operands: &[ErasedView<'_>; N],
) -> Loops<'a, N> {
    match plan {
        Some(plan) if operands.iter().all(|operand| is_contiguous(operand.layout)) => {
            Loops::constant(plan)
        }
        _ => {
            let strides =
                operands.each_ref().map(|operand| operand.broadcast_strides_to(sizes.len()));
            Loops::from_strides(
                sizes,
                strides.each_ref().map(|strides| &strides[..]),
                operands.each_ref().map(ErasedView::offset),
            )
        }
    }
}

/// Runs an operation on erased operands. Concrete for each number of operands, so that it is compiled
/// in this crate.
pub(crate) trait Run<const N: usize> {
    /// Writes the results, of these sizes, from `out` on.
    ///
    /// # Safety
    ///
    /// `out` is writable for the results of these sizes and aligned for their type. They overlap
    /// an operand only where it is contiguous, begins with them, and has their sizes and the size of
    /// their elements. The operands have elements of the types of the kernel. The parameters are what
    /// the kernel takes.
    unsafe fn write(
        &self,
        params: Params,
        plan: &Option<StaticPlan<N>>,
        sizes: &[usize],
        operands: &[ErasedView<'_>; N],
        out: *mut u8,
    );

    /// The results, of these sizes, in new memory.
    ///
    /// # Safety
    ///
    /// As [`write`](Run::write), without `out`.
    unsafe fn collect(
        &self,
        params: Params,
        plan: &Option<StaticPlan<N>>,
        sizes: &[usize],
        operands: &[ErasedView<'_>; N],
    ) -> RawBuffer;

    /// The results for `len` contiguous elements of each operand, or one where it is a splat, in new
    /// memory. The shortest way, for operands that are in the cache.
    ///
    /// # Safety
    ///
    /// As [`write`](Run::write), without `out`, for operands of `len` elements from each pointer on.
    unsafe fn collect_contiguous(
        &self,
        params: Params,
        firsts: [*const u8; N],
        splats: Splats,
        len: usize,
    ) -> RawBuffer;

    /// Writes the results for `len` contiguous elements of each operand, or one where it is a splat.
    ///
    /// # Safety
    ///
    /// As [`write`](Run::write), for operands of `len` elements from each pointer on.
    unsafe fn write_contiguous(
        &self,
        params: Params,
        firsts: [*const u8; N],
        splats: Splats,
        len: usize,
        out: *mut u8,
    );
}

/// [`Run::collect_contiguous`], compiled where it is called: for functions that take the operands in registers.
///
/// # Safety
///
/// The same.
#[inline(always)]
pub(crate) unsafe fn collect_contiguous<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    firsts: [*const u8; N],
    splats: Splats,
    len: usize,
) -> RawBuffer {
    let results = RawBuffer::new_uninit(len, kernel.result_bytes);
    let out = results.first().as_ptr();
    // SAFETY: the buffer has room for the results; the rest the caller promises.
    unsafe { write_contiguous(kernel, params, firsts, splats, len, out) };
    results
}

macro_rules! runs {
    ($($n:literal($($x:ident)+))+) => {$(
        impl Run<$n> for Kernel<$n> {
            #[inline(never)]
            unsafe fn write(
                &self,
                params: Params,
                plan: &Option<StaticPlan<$n>>,
                sizes: &[usize],
                operands: &[ErasedView<'_>; $n],
                out: *mut u8,
            ) {
                let loops = loops_of(plan, sizes, operands);
                assert_eq!(num_elements(sizes), loops.len(), "the loops cover the results");
                // SAFETY: as the caller promises.
                unsafe {
                    let call = Call { kernel: self, params, operands };
                    driver(self, loops.len())(&call, &loops, out);
                }
            }

            #[inline(never)]
            unsafe fn collect(
                &self,
                params: Params,
                plan: &Option<StaticPlan<$n>>,
                sizes: &[usize],
                operands: &[ErasedView<'_>; $n],
            ) -> RawBuffer {
                let loops = loops_of(plan, sizes, operands);
                let len = num_elements(sizes);
                assert_eq!(len, loops.len(), "the loops cover the results");
                let results = RawBuffer::new_uninit(len, self.result_bytes);
                let call = Call { kernel: self, params, operands };
                // SAFETY: the buffer has room for the results; the rest the caller promises.
                unsafe { driver(self, len)(&call, &loops, results.first().as_ptr()) };
                results
            }

            #[inline(always)]
            unsafe fn collect_contiguous(
                &self,
                params: Params,
                [$($x),+]: [*const u8; $n],
                splats: Splats,
                len: usize,
            ) -> RawBuffer {
                /// The operands one by one: as an array they go through memory, where they are written
                /// one by one and read as vectors, which waits for the stores.
                #[inline(never)]
                #[allow(clippy::too_many_arguments, reason = "one for each operand")]
                unsafe fn by_registers(
                    kernel: &Kernel<$n>,
                    params: Params,
                    $($x: *const u8,)+
                    splats: Splats,
                    len: usize,
                ) -> RawBuffer {
                    // SAFETY: as the caller promises.
                    unsafe { collect_contiguous(kernel, params, [$($x),+], splats, len) }
                }
                // SAFETY: as the caller promises.
                unsafe { by_registers(self, params, $($x,)+ splats, len) }
            }

            #[inline(always)]
            unsafe fn write_contiguous(
                &self,
                params: Params,
                [$($x),+]: [*const u8; $n],
                splats: Splats,
                len: usize,
                out: *mut u8,
            ) {
                /// The operands one by one, as for new memory.
                #[inline(never)]
                #[allow(clippy::too_many_arguments, reason = "one for each operand")]
                unsafe fn by_registers(
                    kernel: &Kernel<$n>,
                    params: Params,
                    $($x: *const u8,)+
                    splats: Splats,
                    len: usize,
                    out: *mut u8,
                ) {
                    // SAFETY: as the caller promises.
                    unsafe { write_contiguous(kernel, params, [$($x),+], splats, len, out) }
                }
                // SAFETY: as the caller promises.
                unsafe { by_registers(self, params, $($x,)+ splats, len, out) }
            }
        }
    )+};
}

runs!(1(a) 2(a b) 3(a b c) 4(a b c d) 5(a b c d e) 6(a b c d e f) 7(a b c d e f g) 8(a b c d e f g h));

/// Copies the elements that the loops lead to, in their order.
///
/// # Panics
///
/// If the numbers of results and steps differ, or a step leaves the source.
///
/// # Safety
///
/// The source has that many initialised elements of this size, the results have room for that many, and
/// they do not overlap.
pub(super) unsafe fn copy_elements(
    element_bytes: usize,
    (source, len): (*const u8, usize),
    loops: &Loops<'_, 1>,
    (results, count): (*mut u8, usize),
) {
    assert_eq!(count, loops.len(), "the loops cover the results");
    let operands = &[ErasedView::contiguous(&[], source, len)];
    let kernel = super::table::copy(element_bytes);
    let call = Call { kernel, params: null(), operands };
    // SAFETY: the kernel copies elements of this size; the rest the caller promises.
    unsafe { driver(kernel, count)(&call, loops, results) }
}

#[cfg(test)]
mod tests;
