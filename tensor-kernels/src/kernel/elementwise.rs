//! The driver of element-wise operations, shared by all operations and all shapes of their operands.
//!
//! It splits the operands into blocks for an inner loop: the whole result at once if every
//! operand is contiguous along it or a splat; else planes of rows of small operands that are
//! [materialised](crate::plan::MaterializePlan); else [tile by tile](super::tiles). Elements are
//! moved by their size, not by their type, and the [kernel](Kernel) is called through a pointer, so
//! nothing here is compiled again for another operation.

mod blocks;
mod contiguous;

use core::ops::Range;
use core::ptr::null;

use blocks::run_part;
pub use contiguous::Splats;
pub(crate) use contiguous::write_contiguous;

use super::{bypass, parallel};
use crate::arrays;
use crate::layout::{ErasedView, is_contiguous, num_elements};
use crate::ops::{CallPolicy, Kernel, Params};
use crate::plan::{Loops, StaticPlan};
use crate::storage::RawBuffer;

/// One call of an operation: its kernel, its parameters and its operands.
struct Call<'a, const N: usize> {
    kernel: &'a Kernel<N>,
    params: Params,
    operands: &'a [ErasedView<'a>; N],
    /// Whether blocks of results bypass the caches; those of a transpose never do. Results that do overlap no operand.
    bypasses: bool,
}

impl<'a, const N: usize> Call<'a, N> {
    fn new(kernel: &'a Kernel<N>, params: Params, operands: &'a [ErasedView<'a>; N]) -> Self {
        Self { kernel, params, operands, bypasses: false }
    }

    /// The call with results of this many bytes, from `out` on, that bypass the caches if that pays.
    fn bypassing_for(self, bytes: usize, out: *mut u8) -> Self {
        let overwrites = |(operand, bytes): (&ErasedView<'_>, &usize)| {
            let end = operand.first.wrapping_add(operand.len * bytes);
            (operand.first..end).contains(&out.cast_const())
        };
        let is_new = !self.operands.iter().zip(&self.kernel.operand_bytes).any(overwrites);
        Self { bypasses: is_new && bypass::pays(bytes), ..self }
    }
}

/// The state that threads share. Several threads write results, each its own part.
struct Shared<'a, const N: usize> {
    call: &'a Call<'a, N>,
    out: *mut u8,
}

// SAFETY: the elements of operands and results are numbers, which several threads may read, and each
// part of the results is written by one thread. Only kernels whose policy allows it run on several
// threads, and their parameters are numbers, or an expression that is `Sync`: see
// `chunk::OfExpression`.
unsafe impl<const N: usize> Sync for Shared<'_, N> {}

impl<const N: usize> Shared<'_, N> {
    /// Computes the results of a part of the loops, which has `start` results before it.
    ///
    /// # Safety
    ///
    /// As [`Driver`], for these loops.
    unsafe fn run_part(&self, part: &Loops<'_, N>, start: usize) {
        // SAFETY: as the caller promises; the results before this part end there.
        unsafe { run_part(self.call, part, self.out.add(start * self.call.kernel.result_bytes)) }
    }
}

/// Computes all results that the loops lead to, from `out` on, on one thread or on several.
///
/// # Safety
///
/// `out` is writable for the results of all steps of the loops and aligned for their type, and the
/// operands have elements of the types of the kernel. Results overlap an operand only where it has
/// the strides of the results and starts at the same address. The parameters are those of the kernel.
type Driver<const N: usize> = unsafe fn(&Call<'_, N>, &Loops<'_, N>, *mut u8);

/// The driver for `len` results.
#[inline]
fn driver<const N: usize>(kernel: &Kernel<N>, len: usize) -> Driver<N> {
    if parallel::is_parallel(len.saturating_mul(kernel.result_bytes)) {
        run_large
    } else {
        run_part
    }
}

/// Computes all results that the loops lead to, starting at `out`: on several threads unless the kernel is sequential,
/// and past the caches if that pays.
///
/// # Safety
///
/// As [`Driver`].
#[cold]
unsafe fn run_large<const N: usize>(call: &Call<'_, N>, loops: &Loops<'_, N>, out: *mut u8) {
    let bytes = loops.len().saturating_mul(call.kernel.result_bytes);
    let call = &Call { ..*call }.bypassing_for(bytes, out);
    if call.kernel.policy == CallPolicy::Sequential {
        // SAFETY: as the caller promises.
        return unsafe { run_part(call, loops, out) };
    }
    let shared = Shared { call, out };
    // SAFETY: as the caller promises; the parts do not overlap.
    let run_part =
        |part: &Loops<'_, N>, steps: Range<usize>| unsafe { shared.run_part(part, steps.start) };
    parallel::for_each_range_of(loops, bytes, &run_part);
}

/// The loops over a result: the constant plan if it applies, else computed from the strides.
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
            let strides: [_; N] =
                arrays::from_fn(|k| operands[k].broadcast_strides_to(sizes.len()));
            Loops::from_strides(
                sizes,
                arrays::from_fn(|k| &strides[k][..]),
                arrays::from_fn(|k| operands[k].offset()),
            )
        }
    }
}

/// The first elements of the operands and which of them are splats, if each is contiguous along all `len` results
/// or one element.
///
/// # Panics
///
/// If an operand has fewer elements than its sizes state.
fn contiguous_operands<const N: usize>(
    kernel: &Kernel<N>,
    operands: &[ErasedView<'_>; N],
    len: usize,
) -> Option<([*const u8; N], Splats)> {
    let (mut firsts, mut splats) = ([null(); N], Splats::NONE);
    for (k, operand) in operands.iter().enumerate() {
        let (start, count) = (operand.row_major_start()?, num_elements(operand.sizes));
        if count != len {
            if count != 1 {
                return None;
            }
            splats = splats.and(k);
        }
        let end = start.checked_add(count);
        assert!(end.is_some_and(|end| end <= operand.len), "the strides stay within the elements");
        firsts[k] = operand.first.wrapping_add(start * kernel.operand_bytes[k]);
    }
    Some((firsts, splats))
}

/// Runs an operation on type-erased operands. Not generic in the number of operands, so that it is compiled
/// in this crate.
pub trait Run<const N: usize> {
    /// Writes the results, of these sizes, starting at `out`.
    ///
    /// # Safety
    ///
    /// `out` is writable for the results of these sizes and aligned for their type. They overlap
    /// an operand only where it is contiguous, starts at the same address, and has their sizes and element
    /// size. The operands have the element types of the kernel. The parameters are those of
    /// the kernel.
    unsafe fn write(
        &self,
        params: Params,
        plan: &Option<StaticPlan<N>>,
        sizes: &[usize],
        operands: &[ErasedView<'_>; N],
        out: *mut u8,
    );

    /// Computes the results, of these sizes, in newly allocated memory.
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

    /// Computes the results for `len` contiguous elements of each operand, or one for a splat, in newly
    /// allocated memory. The fast path for operands that are in the cache.
    ///
    /// # Safety
    ///
    /// As [`write`](Run::write), without `out`, for operands of `len` elements at each pointer, or one.
    unsafe fn collect_contiguous(
        &self,
        params: Params,
        firsts: [*const u8; N],
        splats: Splats,
        len: usize,
    ) -> RawBuffer;

    /// Writes the results for `len` contiguous elements of each operand, or one for a splat.
    ///
    /// # Safety
    ///
    /// As [`write`](Run::write), for operands of `len` elements at each pointer, or one for a splat.
    unsafe fn write_contiguous(
        &self,
        params: Params,
        firsts: [*const u8; N],
        splats: Splats,
        len: usize,
        out: *mut u8,
    );
}

/// [`Run::collect_contiguous`], inlined: for functions that take the operands in registers.
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
    // SAFETY: the buffer has room for the results; the caller promises the rest.
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
                let len = num_elements(sizes);
                if plan.is_none()
                    && let Some((firsts, splats)) = contiguous_operands(self, operands, len)
                {
                    // SAFETY: as the caller promises; the operands have that number of elements, or one.
                    return unsafe { write_contiguous(self, params, firsts, splats, len, out) };
                }
                let loops = loops_of(plan, sizes, operands);
                assert_eq!(len, loops.len(), "the loops cover the results");
                // SAFETY: as the caller promises.
                unsafe {
                    let call = Call::new(self, params, operands);
                    driver(self, len)(&call, &loops, out);
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
                let results = RawBuffer::new_uninit(num_elements(sizes), self.result_bytes);
                let out = results.first().as_ptr();
                // SAFETY: the buffer has room for the results; the caller promises the rest.
                unsafe { self.write(params, plan, sizes, operands, out) };
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
                /// Takes the operands as separate arguments: an array would go through memory, where it is
                /// written element by element and read as vectors, which stalls on the stores.
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
                /// Takes the operands as separate arguments, like the function above.
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

/// Copies the elements that the loops lead to, in order.
///
/// # Panics
///
/// If the numbers of results and steps differ, or a step leaves the source.
///
/// # Safety
///
/// The source has that number of initialised elements of this size, the results have room for them, and
/// they do not overlap.
pub(super) unsafe fn copy_elements(
    element_bytes: usize,
    (source, len): (*const u8, usize),
    loops: &Loops<'_, 1>,
    (results, count): (*mut u8, usize),
) {
    assert_eq!(count, loops.len(), "the loops cover the results");
    // SAFETY: as the caller promises.
    let operands = &[unsafe { ErasedView::contiguous(&[], source, len) }];
    let kernel = super::table::copy(element_bytes);
    let call = Call::new(kernel, null(), operands);
    // SAFETY: the kernel copies elements of this size; the caller promises the rest.
    unsafe { driver(kernel, count)(&call, loops, results) }
}

#[cfg(test)]
mod tests;
