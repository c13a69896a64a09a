//! Accumulators of blocks, combined pairwise, so that the error of a sum grows with the logarithm of
//! its length.

use core::mem::MaybeUninit;

use super::contiguous::BLOCK;
use super::loops::{ErasedAccumulator, RawLines, ReduceLoops};
use crate::kernel::parallel::{for_each_part_weighted, is_parallel};

/// A stack of accumulators: two of the same number of blocks are combined as soon as they exist. The result
/// depends on the blocks and their order alone: they may be computed on any thread.
pub(crate) struct PairwiseSum<'a> {
    loops: &'a ReduceLoops,
    accumulators: [MaybeUninit<ErasedAccumulator>; usize::BITS as usize],
    depth: usize,
    count: usize,
}

impl<'a> PairwiseSum<'a> {
    pub(crate) fn new(loops: &'a ReduceLoops) -> Self {
        let accumulators = [const { MaybeUninit::uninit() }; usize::BITS as usize];
        Self { loops, accumulators, depth: 0, count: 0 }
    }

    /// The last accumulator.
    fn pop(&mut self) -> Option<ErasedAccumulator> {
        self.depth = self.depth.checked_sub(1)?;
        // SAFETY: accumulators below the depth were written when they were pushed.
        Some(unsafe { self.accumulators[self.depth].assume_init() })
    }

    /// Combines the accumulator in front with another.
    ///
    /// # Safety
    ///
    /// Both are accumulators of the loops.
    unsafe fn combine(
        &self,
        mut before: ErasedAccumulator,
        after: ErasedAccumulator,
    ) -> ErasedAccumulator {
        let combine = self.loops.combine.baseline();
        // SAFETY: both are initialised.
        unsafe { combine(self.loops, before.as_mut_ptr(), after.as_ptr(), 1) };
        before
    }

    /// Adds the accumulator of the next block.
    ///
    /// # Safety
    ///
    /// It is an accumulator of the loops.
    pub(crate) unsafe fn push(&mut self, mut accumulator: ErasedAccumulator) {
        for _ in 0..self.count.trailing_ones() {
            if let Some(before) = self.pop() {
                // SAFETY: every pushed accumulator is an accumulator of the loops.
                accumulator = unsafe { self.combine(before, accumulator) };
            }
        }
        self.accumulators[self.depth].write(accumulator);
        self.depth += 1;
        self.count += 1;
    }

    /// The accumulator of all blocks; `None` if there are none.
    pub(crate) fn finish(mut self) -> Option<ErasedAccumulator> {
        let mut all = self.pop()?;
        while let Some(before) = self.pop() {
            // SAFETY: as above.
            all = unsafe { self.combine(before, all) };
        }
        Some(all)
    }
}

/// For fewer elements than this, detecting the instruction set does not pay.
pub(super) const FEW: usize = 32;

/// The accumulator of contiguous elements: of their blocks, combined pairwise.
///
/// # Safety
///
/// There are `len` initialised elements of the loops, at least one, which are not written.
pub(crate) unsafe fn reduce_slice(
    loops: &ReduceLoops,
    first: *const u8,
    len: usize,
) -> ErasedAccumulator {
    // SAFETY: the elements are initialised, have no padding, and are not written.
    let bytes = unsafe { core::slice::from_raw_parts(first, len * loops.element) };
    let reduce = if len < FEW { loops.lines.baseline() } else { loops.lines.best() };
    let of_block = |start: usize, len: usize| {
        let line =
            RawLines { first: bytes[start * loops.element..].as_ptr(), stride: 0, len, count: 1 };
        let mut accumulator = ErasedAccumulator::UNINIT;
        // SAFETY: the lane consists of these elements, and there is room for its accumulator.
        unsafe { reduce(loops, line, accumulator.as_mut_ptr()) };
        accumulator
    };
    if len <= BLOCK {
        return of_block(0, len);
    }
    // SAFETY: the accumulators are those of the loops.
    unsafe { reduce_blocks(loops, len, &of_block) }
}

/// The accumulator of `len` elements, given a function for the accumulator of a block, which takes its first
/// element and its length.
///
/// # Safety
///
/// The function returns accumulators of the loops.
pub(super) unsafe fn reduce_blocks(
    loops: &ReduceLoops,
    len: usize,
    of_block: &(dyn Fn(usize, usize) -> ErasedAccumulator + Sync),
) -> ErasedAccumulator {
    let (count, bytes) = (len.div_ceil(BLOCK), len * loops.element);
    let of_block = |index: usize| of_block(index * BLOCK, BLOCK.min(len - index * BLOCK));
    let mut all = PairwiseSum::new(loops);
    if is_parallel(bytes) {
        let mut accumulators = vec![ErasedAccumulator::UNINIT; count];
        for_each_part_weighted(&mut accumulators, bytes, 1, |start, accumulators| {
            for (index, accumulator) in accumulators.iter_mut().enumerate() {
                *accumulator = of_block(start + index);
            }
        });
        for accumulator in accumulators {
            // SAFETY: every part has written its accumulators.
            unsafe { all.push(accumulator) };
        }
    } else {
        for index in 0..count {
            // SAFETY: it is the accumulator of a block.
            unsafe { all.push(of_block(index)) };
        }
    }
    all.finish().expect("some block")
}
