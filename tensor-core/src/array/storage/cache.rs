//! A cache of freed blocks by size class, as in tcmalloc.
//!
//! The system zeroes new pages on first touch: for 64 MiB that takes longer than summing them. An
//! allocator takes a third of the time of summing 1,024 floats, more with cache-line alignment. So
//! freed blocks are cached: small ones in a thread cache without a lock, large ones in a central
//! cache. The caches are bounded, and idle blocks go back to the system:
//! [`crate::array::memory`] documents the limits.
//!
//! Results do not depend on the cache. On a miss, on contention, while the thread exits and where the
//! cache is off, memory is allocated; lock waits are bounded.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::block::{Block, Kept, MOST_ALLOCATED};

mod central_cache;
mod thread_cache;

/// The smallest block that is cached.
const SMALLEST: usize = 64;
/// The largest block in a thread cache. Above, a lock costs a few percent of writing the block.
const LARGEST_LOCAL: usize = 512 << 10;

/// Largest number of bytes in the central cache; 0 switches the thread caches off too.
static LIMIT: AtomicUsize = AtomicUsize::new(1 << 30);

/// The capacity of a block for `bytes` bytes, and its cache. There are eight size classes for each
/// power of two: a block serves tensors of other sizes, and at most an eighth of it is unused.
#[inline]
const fn size(bytes: usize) -> (usize, Kept) {
    if bytes < SMALLEST {
        return (bytes, Kept::Not);
    }
    // The highest four bits, rounded up.
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
        // Size classes of a power of two end with it.
        let doublings = shift + 3 - (SMALLEST - 1).ilog2();
        Kept::ByThread(8 * doublings as u8 + eighths as u8 - 16)
    };
    (capacity, kept)
}

/// Number of size classes of a thread cache.
const LOCAL_SIZES: usize = match size(LARGEST_LOCAL).1 {
    Kept::ByThread(index) => index as usize + 1,
    _ => panic!("the thread keeps the largest of its blocks"),
};

/// A block for `bytes` bytes, and whether it is zeroed; `None` if out of memory.
///
/// This is much of the overhead of a small tensor. So the cold paths are tail calls into other
/// functions, and this one saves no registers.
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

/// Caches a freed block, or frees its memory.
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
        // It may be the thread's first block.
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

/// Whether the central cache takes blocks of this size that the thread cache does not: those that
/// are mapped, and so go back to the system when they are dropped.
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

/// New memory after an allocation failed: the cache may hold what the system lacks.
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

/// Bytes in the central cache and in this thread's cache.
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
