//! Freed blocks, kept for the next tensors of about their size.
//!
//! The system clears new memory page by page when it is first touched: 64 MiB take longer than to
//! add up what they hold. An allocator takes a third as long as adding up 1,024 floats takes, and
//! longer for memory that begins a cache line. So blocks are kept: small ones by the thread that
//! freed them, without a lock, large ones for all threads. What is kept is bounded, and goes back to
//! the system when nobody takes it for a while: [`crate::array::memory`] says how much and how long.
//!
//! Nothing but time depends on what is kept: whoever cannot use the cache, because it is switched
//! off, its thread is ending, or its lock is taken for too long, takes new memory.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::block::{Block, Kept, MOST_ALLOCATED};

mod central_cache;
mod thread_cache;

/// The smallest block that is kept.
const SMALLEST: usize = 64;
/// The largest block that a thread keeps for itself: a lock waits for all that was written before it,
/// which is some hundredths of the time that it takes to write so much.
const LARGEST_LOCAL: usize = 512 << 10;

/// How many bytes of large blocks are kept at most; none and no small ones either if it is 0.
static LIMIT: AtomicUsize = AtomicUsize::new(1 << 30);

/// The size of the block for so many bytes, eight sizes between powers of two, so that a block serves
/// tensors of other sizes too, and at most an eighth of it is spare; and who keeps it.
#[inline]
const fn size(bytes: usize) -> (usize, Kept) {
    if bytes < SMALLEST {
        return (bytes, Kept::Not);
    }
    // The highest four bits, and what follows as one bit more.
    let last = bytes - 1;
    let shift = last.ilog2() - 3;
    let eighths = (last >> shift) + 1;
    if eighths > usize::MAX >> shift {
        return (bytes, Kept::Not);
    }
    let capacity = eighths << shift;
    let kept = if capacity > LARGEST_LOCAL {
        Kept::ForAll
    } else {
        // The sizes of the smallest power of two end with it.
        let doublings = shift + 3 - (SMALLEST - 1).ilog2();
        Kept::ByThread(8 * doublings as u8 + eighths as u8 - 16)
    };
    (capacity, kept)
}

/// How many sizes of blocks a thread keeps.
const LOCAL_SIZES: usize = match size(LARGEST_LOCAL).1 {
    Kept::ByThread(index) => index as usize + 1,
    _ => panic!("the thread keeps the largest of its blocks"),
};

/// A block for `bytes` bytes, and whether they are all zero; none if there is no memory.
///
/// What a small tensor costs beside its elements is much of this. So what is seldom done is done in
/// other functions, called last, and this one has nothing to save.
pub(super) fn take(bytes: usize) -> Option<(Block, bool)> {
    let (capacity, kept) = size(bytes);
    if let Kept::ByThread(index) = kept
        && let Some(block) = thread_cache::take(index)
    {
        return Some((block, false));
    }
    take_elsewhere(bytes, capacity, kept)
}

#[cold]
fn take_elsewhere(bytes: usize, capacity: usize, kept: Kept) -> Option<(Block, bool)> {
    thread_cache::obey();
    if kept == Kept::Not || LIMIT.load(Ordering::Relaxed) == 0 {
        return new(bytes, Kept::Not);
    }
    let block = if is_shared(capacity) { central_cache::take(capacity) } else { None };
    match block {
        Some(block) => Some((block, false)),
        None => new(capacity, kept),
    }
}

/// Keeps a block that nobody uses any more, or gives its memory back.
pub(super) fn give(block: Block) {
    let Kept::ByThread(index) = block.kept() else { return give_elsewhere(block) };
    if LIMIT.load(Ordering::Relaxed) == 0 {
        return give_elsewhere(block);
    }
    if let Err(block) = thread_cache::give(block, index) {
        give_elsewhere(block);
    }
}

#[cold]
fn give_elsewhere(block: Block) {
    thread_cache::obey();
    let limit = LIMIT.load(Ordering::Relaxed);
    if limit == 0 {
        return;
    }
    let block = match block.kept() {
        // It may be the first block of the thread.
        Kept::ByThread(index) if thread_cache::get_ready() => {
            thread_cache::give(block, index).err()
        }
        Kept::ByThread(_) | Kept::ForAll => Some(block),
        Kept::Not => None,
    };
    if let Some(block) = block
        && is_shared(block.capacity())
    {
        central_cache::give(block, limit);
    }
}

/// Whether blocks of this size are kept for all threads when their thread does not keep them: those
/// that come from the system, and so can go back there.
fn is_shared(capacity: usize) -> bool {
    capacity > MOST_ALLOCATED
}

fn new(capacity: usize, kept: Kept) -> Option<(Block, bool)> {
    let block = match Block::new(capacity, kept) {
        Some(block) => block,
        None => after_clearing(capacity, kept)?,
    };
    let is_zero = block.is_zero_when_new();
    Some((block, is_zero))
}

/// New memory although there was none: what is kept may be just what the system lacks.
#[cold]
fn after_clearing(capacity: usize, kept: Kept) -> Option<Block> {
    clear();
    Block::new(capacity, kept)
}

pub(crate) fn limit() -> usize {
    LIMIT.load(Ordering::Relaxed)
}

pub(crate) fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
    if bytes == 0 {
        clear();
    } else {
        central_cache::shrink(bytes);
    }
}

pub(crate) fn clear() {
    thread_cache::clear();
    central_cache::shrink(0);
}

/// The bytes that large blocks and the small ones of this thread take.
pub(crate) fn bytes() -> usize {
    thread_cache::bytes() + central_cache::bytes()
}

#[cfg(test)]
mod tests {
    use super::{Kept, LARGEST_LOCAL, LOCAL_SIZES, SMALLEST, size};

    #[test]
    fn sizes_are_few_and_close() {
        let mut sizes: Vec<_> = (SMALLEST..=LARGEST_LOCAL).map(size).collect();
        for (bytes, &(capacity, kept)) in (SMALLEST..).zip(&sizes) {
            assert!(capacity >= bytes && capacity - bytes <= bytes / 8, "{bytes}: {capacity}");
            assert_eq!(size(capacity), (capacity, kept));
        }
        sizes.dedup();
        assert_eq!(sizes.len(), 1 + 13 * 8);
        let numbers = (0..LOCAL_SIZES).map(|index| Kept::ByThread(index as u8));
        assert!(sizes.iter().map(|&(_, kept)| kept).eq(numbers));
        assert_eq!(size(SMALLEST - 1), (SMALLEST - 1, Kept::Not));
        assert_eq!(size(64 << 20), (64 << 20, Kept::ForAll));
        assert_eq!(size(usize::MAX), (usize::MAX, Kept::Not));
    }
}
