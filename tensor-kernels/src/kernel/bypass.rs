//! Results that bypass the caches.
//!
//! A store to memory that is not cached first reads the cache line, and later writes it back: a result that is larger
//! than the cache is moved twice, and evicts data that the next operation could use. A non-temporal store moves it
//! once. An inner loop writes pieces of such a result to a buffer in L1, from which non-temporal stores move them, so
//! no kernel is compiled twice.
//!
//! The threshold depends on the last-level cache: see [`caches::bypass_from`]. The benchmark `table` has rows on both
//! sides of it.

use core::mem::MaybeUninit;

use super::caches;
use crate::arrays;
use crate::ops::{Block, BlockOperand, Kernel};

/// The number of bytes of results that are computed at a time: half of an L1 cache of 32 KiB is left for operands.
const PIECE: usize = 16 << 10;

/// The size of a cache line, which non-temporal stores write as a whole.
const LINE: usize = 64;

#[repr(align(64))]
struct ResultPiece([MaybeUninit<u8>; PIECE]);

/// Whether a result of this many bytes, in newly allocated memory, bypasses the caches.
pub(super) fn pays(bytes: usize) -> bool {
    cfg!(all(target_arch = "x86_64", not(miri))) && bytes >= caches::bypass_from()
}

/// Makes the results that bypassed the caches visible to what follows, when it is dropped.
pub(super) struct Fence;

impl Drop for Fence {
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every processor of this architecture has the instruction.
        unsafe {
            core::arch::x86_64::_mm_sfence();
        }
    }
}

/// Computes a block of results, which bypass the caches, by an inner loop for each piece of it.
///
/// # Safety
///
/// As [`InnerLoop`](crate::ops::InnerLoop) requires, for a block that is not empty. Its results overlap no operand. They
/// are read only after a [`Fence`] is dropped. `inner` computes a block as that loop does.
#[inline(never)]
pub(super) unsafe fn run<const N: usize>(
    kernel: &Kernel<N>,
    block: &Block<N>,
    inner: &dyn Fn(&Block<N>),
) {
    let bytes = kernel.result_bytes;
    let [planes, rows, columns] = block.sizes;
    // The largest number of columns that fits, then of whole rows, then of whole planes.
    let piece = {
        let room = PIECE / bytes;
        let rows_of = (room / columns).clamp(1, rows);
        let planes_of =
            (room / (rows_of * columns)).clamp(1, if rows_of == rows { planes } else { 1 });
        [planes_of, rows_of, columns.min(room)]
    };
    let mut buffer = ResultPiece([const { MaybeUninit::uninit() }; PIECE]);
    for plane in (0..planes).step_by(piece[0]) {
        for row in (0..rows).step_by(piece[1]) {
            for column in (0..columns).step_by(piece[2]) {
                let first = [plane, row, column];
                let sizes: [usize; 3] =
                    arrays::from_fn(|axis| piece[axis].min(block.sizes[axis] - first[axis]));
                let mut part = Block::new(buffer.0.as_mut_ptr().cast(), sizes);
                for (k, operand) in part.operands.iter_mut().enumerate() {
                    *operand = operand_at(&block.operands[k], kernel.operand_bytes[k], first);
                }
                inner(&part);
                let start = ((plane * rows + row) * columns + column) * bytes;
                // SAFETY: `inner` has initialised the piece; the block has room for its results, and the buffer does not overlap it.
                unsafe {
                    store(part.out, block.out.add(start), sizes.iter().product::<usize>() * bytes);
                }
            }
        }
    }
}

/// The elements of an operand from a plane, a row and a column on.
fn operand_at(
    operand: &BlockOperand,
    bytes: usize,
    [plane, row, column]: [usize; 3],
) -> BlockOperand {
    let column = if operand.is_splat { 0 } else { column };
    let start = plane * operand.strides[1] + row * operand.strides[0] + column;
    BlockOperand {
        first: operand.first.wrapping_add(start * bytes),
        len: operand.len - start,
        ..*operand
    }
}

/// Moves bytes: whole lines of the target by non-temporal stores.
///
/// # Safety
///
/// Both pointers are to this many bytes, initialised at `from`, which do not overlap. Before the target is read, a
/// [`Fence`] is dropped.
pub(super) unsafe fn store(from: *const u8, to: *mut u8, bytes: usize) {
    let head = to.align_offset(LINE).min(bytes);
    let lines = (bytes - head) / LINE;
    let tail = head + lines * LINE;
    // SAFETY: the parts before, within and after whole lines are within the bytes, and each line of the target is
    // aligned.
    unsafe {
        to.copy_from_nonoverlapping(from, head);
        for line in 0..lines {
            let start = head + line * LINE;
            store_line(from.add(start), to.add(start));
        }
        to.add(tail).copy_from_nonoverlapping(from.add(tail), bytes - tail);
    }
}

/// Moves one line.
///
/// # Safety
///
/// As [`store`], for a line; the target is aligned to it.
#[inline(always)]
unsafe fn store_line(from: *const u8, to: *mut u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        let (from, to) = (from.cast::<__m128i>(), to.cast::<__m128i>());
        for quarter in 0..LINE / size_of::<__m128i>() {
            // SAFETY: as the caller promises. Every processor of this architecture has the instruction.
            unsafe { _mm_stream_si128(to.add(quarter), _mm_loadu_si128(from.add(quarter))) }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: as the caller promises.
    unsafe {
        to.copy_from_nonoverlapping(from, LINE);
    }
}
