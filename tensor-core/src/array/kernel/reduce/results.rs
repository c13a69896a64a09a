//! Where the results of a reduction go.

use core::mem::MaybeUninit;

use super::ReduceKernel;
use super::strided::scatter;
use crate::array::kernel::erased::Results;

/// Makes results of accumulators. What they are divided by is the number of elements of each, less
/// the correction.
///
/// # Safety
///
/// There are `count` initialised accumulators of the kernel, and aligned room for `count` results,
/// which they do not overlap.
pub(crate) type FinishFn = unsafe fn(*const u8, usize, usize, *mut u8);

/// How many results are finished at a time before they go to strided places.
const STRIDED: usize = 64;

impl Results<'_> {
    /// Writes `count` results, `step` apart.
    ///
    /// # Safety
    ///
    /// They are initialised, and lie elsewhere.
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
            // SAFETY: there is room, and they lie elsewhere.
            return unsafe { to.copy_from_nonoverlapping(from, count * self.size()) };
        }
        assert!(step >= 0, "results are in row-major order");
        self.room(first + (count as isize - 1) * step, 1);
        // SAFETY: the first and the last of them have room, and so have those between.
        unsafe { scatter(self.size(), from, self.room(first, 1), step, count) }
    }

    /// Writes the results of `count` accumulators, `step` apart.
    ///
    /// # Safety
    ///
    /// They are initialised accumulators of the kernel, whose results these are.
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
            // SAFETY: a result has 8 bytes at most; the accumulators are there.
            unsafe {
                let accumulators = accumulators.add(done * kernel.loops.accumulator);
                finish(accumulators, count, divisor, finished);
                self.write(finished, count, first + done as isize * step, step);
            }
        }
    }
}
