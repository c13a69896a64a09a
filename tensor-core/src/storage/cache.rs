//! Freed blocks, kept for the next tensors of about their size.
//!
//! The system clears new memory page by page when it is first touched: 64 MiB take longer than to
//! add up what they hold. From 1 KiB on, allocators take a third as long as adding up 1,024 floats
//! takes, and longer for memory that begins a cache line. So blocks are kept: small ones by the
//! thread that freed them, without a lock, large ones for all threads. What is kept is bounded, and goes back to the system when nobody takes it for a while:
//! [`crate::memory`] says how much and how long.
//!
//! Nothing but time depends on what is kept: whoever cannot use the cache, because it is switched
//! off, its thread is ending, or its lock is taken for too long, takes new memory.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::block::{BEGINS_A_LINE, Block, MOST_ALLOCATED};

mod local;
mod shared;

/// The smallest block that is kept. Allocators keep smaller ones, as quickly as can be.
const SMALLEST: usize = BEGINS_A_LINE;
/// The largest block that a thread keeps for itself. Larger ones come from the system and so can go
/// back there; taking a lock is cheap beside the work on them.
const LARGEST_LOCAL: usize = MOST_ALLOCATED;

/// How many bytes of large blocks are kept at most; none and no small ones either if it is 0.
static LIMIT: AtomicUsize = AtomicUsize::new(1 << 30);

/// The size of the block for so many bytes: eight sizes between powers of two, so that a block
/// serves tensors of other sizes too, and at most an eighth of it is spare.
const fn rounded(bytes: usize) -> usize {
    match bytes.checked_next_power_of_two() {
        Some(power) if bytes >= SMALLEST => bytes.next_multiple_of(power / 16),
        _ => bytes,
    }
}

/// A block for `bytes` bytes, and whether they are all zero; none if there is no memory.
pub(super) fn take(bytes: usize) -> Option<(Block, bool)> {
    if bytes < SMALLEST || LIMIT.load(Ordering::Relaxed) == 0 {
        return new(bytes);
    }
    let capacity = rounded(bytes);
    let kept =
        if capacity <= LARGEST_LOCAL { local::take(capacity) } else { shared::take(capacity) };
    match kept {
        Some(block) => Some((block, false)),
        None => new(capacity),
    }
}

/// Keeps a block that nobody uses any more, or gives its memory back.
pub(super) fn give(block: Block) {
    let capacity = block.capacity();
    if capacity < SMALLEST {
        return;
    }
    let limit = LIMIT.load(Ordering::Relaxed);
    // A block that was taken while the cache was off may have a size that is never asked for.
    if limit == 0 || capacity != rounded(capacity) {
        return;
    }
    if capacity <= LARGEST_LOCAL {
        local::give(block, capacity);
    } else {
        shared::give(block, limit);
    }
}

#[inline]
fn new(capacity: usize) -> Option<(Block, bool)> {
    let block = match Block::new(capacity) {
        Some(block) => block,
        None => after_clearing(capacity)?,
    };
    let is_zero = block.is_zero_when_new();
    Some((block, is_zero))
}

/// New memory although there was none: what is kept may be just what the system lacks.
#[cold]
fn after_clearing(capacity: usize) -> Option<Block> {
    clear();
    Block::new(capacity)
}

pub(crate) fn limit() -> usize {
    LIMIT.load(Ordering::Relaxed)
}

pub(crate) fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
    if bytes == 0 {
        clear();
    } else {
        shared::shrink(bytes);
    }
}

pub(crate) fn clear() {
    local::clear();
    shared::shrink(0);
}

/// The bytes that large blocks and the small ones of this thread take.
pub(crate) fn bytes() -> usize {
    local::bytes() + shared::bytes()
}

#[cfg(test)]
mod tests {
    use super::{SMALLEST, rounded};

    #[test]
    fn sizes_are_few_and_close() {
        let mut sizes: Vec<usize> = (SMALLEST..=1 << 17).map(rounded).collect();
        for (bytes, &size) in (SMALLEST..).zip(&sizes) {
            assert!(size >= bytes && size - bytes <= bytes / 8, "{bytes}: {size}");
            assert_eq!(rounded(size), size);
        }
        sizes.dedup();
        assert_eq!(sizes.len(), 1 + 7 * 8);
        assert_eq!(rounded(64 << 20), 64 << 20);
        assert_eq!(rounded(usize::MAX), usize::MAX);
    }
}
