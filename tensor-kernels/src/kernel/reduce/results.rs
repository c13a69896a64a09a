//! The destination of the results of a reduction.

use core::mem::MaybeUninit;

use super::ReduceKernel;
use super::strided::scatter;
use crate::kernel::erased::Results;

/// Computes results from accumulators. The divisor is the number of elements of each, less the
/// correction.
///
/// # Safety
///
/// There are `count` initialised accumulators of the kernel, and aligned memory for `count` results,
/// which does not overlap them.
pub(crate) type FinishFn = unsafe fn(*const u8, usize, usize, *mut u8);

/// The number of results that are computed at a time before they are scattered.
const STRIDED: usize = 64;

impl Results<'_> {
    /// Writes `count` results, `step` apart.
    ///
    /// # Safety
    ///
    /// They are initialised, and do not overlap the results.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub(crate) unsafe fn write(
        &mut self,
        from: *const u8,
        count: usize,
        first: isize,
        step: isize,
    ) {
        if step == 1 || count == 1 {
            let to = self.room(first, count);
            // SAFETY: there is room, and it does not overlap the source.
            return unsafe { to.copy_from_nonoverlapping(from, count * self.size()) };
        }
        assert!(step >= 0, "results are in row-major order");
        self.room(first + (count as isize - 1) * step, 1);
        // SAFETY: there is room for the first and the last result, and so for those between.
        unsafe { scatter(self.size(), from, self.room(first, 1), step, count) }
    }

    /// Writes the results of `count` accumulators, `step` apart.
    ///
    /// # Safety
    ///
    /// They are initialised accumulators of the kernel.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub(crate) unsafe fn finish(
        &mut self,
        kernel: &ReduceKernel,
        (accumulators, count): (*const u8, usize),
        divisor: usize,
        (first, step): (isize, isize),
    ) {
        let Some(finish) = kernel.finish else {
            // SAFETY: the accumulators are the results.
            return unsafe { self.write(accumulators, count, first, step) };
        };
        let finish = if count == 1 { finish.baseline() } else { finish.best() };
        if step == 1 || count == 1 {
            // SAFETY: there is room for the results.
            return unsafe { finish(accumulators, count, divisor, self.room(first, count)) };
        }
        let mut finished = [const { MaybeUninit::<u64>::uninit() }; STRIDED];
        let finished = finished.as_mut_ptr().cast::<u8>();
        for done in (0..count).step_by(STRIDED) {
            let count = STRIDED.min(count - done);
            // SAFETY: a result has at most 8 bytes; the accumulators are initialised.
            unsafe {
                let accumulators = accumulators.add(done * kernel.loops.accumulator);
                finish(accumulators, count, divisor, finished);
                self.write(finished, count, first + done as isize * step, step);
            }
        }
    }
}
