//! Where the results of a reduction go.

use core::mem::MaybeUninit;

use super::ReduceKernel;
use super::strided::scatter;

/// Makes results of accumulators. What they are divided by is the number of elements of each, less
/// the correction.
///
/// # Safety
///
/// There are `count` initialised accumulators of the kernel, and aligned room for `count` results,
/// which they do not overlap.
pub(crate) type FinishFn = unsafe fn(*const u8, usize, usize, *mut u8);

/// Room for results, as bytes; aligned for their type.
pub(crate) struct Results<'a> {
    bytes: &'a mut [MaybeUninit<u8>],
    /// The size of a result, in bytes.
    size: usize,
}

/// How many results are finished at a time before they go to strided places.
const STRIDED: usize = 64;

impl<'a> Results<'a> {
    pub(crate) fn new(bytes: &'a mut [MaybeUninit<u8>], size: usize) -> Self {
        assert!(bytes.len().is_multiple_of(size), "room for whole results");
        Self { bytes, size }
    }

    /// The room of typed results.
    pub(crate) fn of<T>(results: &'a mut [MaybeUninit<T>]) -> Self {
        let (len, first) = (size_of_val(results), results.as_mut_ptr().cast());
        // SAFETY: the same memory, byte by byte; nothing but results is written to it.
        Self::new(unsafe { core::slice::from_raw_parts_mut(first, len) }, size_of::<T>())
    }

    /// The number of results.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    /// The size of a result, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn into_bytes(self) -> &'a mut [MaybeUninit<u8>] {
        self.bytes
    }

    /// Room for `count` results from `first` on.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub(crate) fn room(&mut self, first: isize, count: usize) -> *mut u8 {
        let first = first as usize;
        assert!(first <= self.len() && count <= self.len() - first, "results that there are");
        self.bytes[first * self.size..].as_mut_ptr().cast()
    }

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
            return unsafe { to.copy_from_nonoverlapping(from, count * self.size) };
        }
        assert!(step >= 0, "results are in row-major order");
        self.room(first + (count as isize - 1) * step, 1);
        // SAFETY: the first and the last of them have room, and so have those between.
        unsafe { scatter(self.size, from, self.room(first, 1), step, count) }
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
