//! A cache of freed blocks by size class, as in tcmalloc.
//!
//! The system zeroes new pages on first touch: for 64 MiB that takes longer than summing them. An
//! allocator takes a third of the time of summing 1,024 floats, more with cache-line alignment. So
//! freed blocks are cached: small ones in a thread cache without a lock, large ones in a central
//! cache. The caches are bounded, and idle blocks go back to the system:
//! [`crate::memory`] documents the limits.
//!
//! Results do not depend on the cache. On a miss, on contention, while the thread exits and if the
//! cache is off, memory is allocated; lock waits are bounded.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::block::{CacheClass, MMAP_THRESHOLD, MemoryBlock};

mod central_cache;
mod thread_cache;

/// The smallest block that is cached.
const SMALLEST: usize = 64;
/// The largest block in a thread cache. Above, a lock costs a few percent of writing the block.
const LARGEST_LOCAL: usize = 512 << 10;

/// Whether the target has a clock, which the central cache needs to find idle blocks. On WebAssembly without an operating
/// system, reading it panics, and memory does not go back to the system.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Largest number of bytes in the central cache; 0 switches the thread caches off too.
static LIMIT: AtomicUsize = AtomicUsize::new(1 << 30);

/// The capacity of a block for `bytes` bytes, and its cache. There are eight size classes for each
/// power of two: a block serves tensors of other sizes, and at most an eighth of it is unused.
#[inline]
const fn size(bytes: usize) -> (usize, CacheClass) {
    if bytes < SMALLEST {
        return (bytes, CacheClass::Uncached);
    }
    // The highest four bits, rounded up.
    let last = bytes - 1;
    let shift = last.ilog2() - 3;
    let eighths = (last >> shift) + 1;
    if eighths > usize::MAX >> shift {
        return (bytes, CacheClass::Uncached);
    }
    let capacity = eighths << shift;
    let cache_class = if capacity > LARGEST_LOCAL {
        CacheClass::Central
    } else {
        // Size classes of a power of two end with it.
        let doublings = shift + 3 - (SMALLEST - 1).ilog2();
        CacheClass::Thread(8 * doublings as u8 + eighths as u8 - 16)
    };
    (capacity, cache_class)
}

/// Number of size classes of a thread cache.
const LOCAL_SIZES: usize = match size(LARGEST_LOCAL).1 {
    CacheClass::Thread(index) => index as usize + 1,
    _ => panic!("the thread keeps the largest of its blocks"),
};

/// A block for `bytes` bytes, and whether it is zeroed; `None` if out of memory.
///
/// This is much of the overhead of a small tensor. So the cold paths are tail calls into other
/// functions, and this one saves no registers.
pub(super) fn acquire(bytes: usize) -> Option<(MemoryBlock, bool)> {
    let (capacity, cache_class) = size(bytes);
    if let CacheClass::Thread(index) = cache_class
        && let Some(block) = thread_cache::acquire(index)
    {
        return Some((block, false));
    }
    acquire_slow(bytes, capacity, cache_class)
}

#[cold]
fn acquire_slow(
    bytes: usize,
    capacity: usize,
    cache_class: CacheClass,
) -> Option<(MemoryBlock, bool)> {
    thread_cache::sync_epoch();
    if cache_class == CacheClass::Uncached || LIMIT.load(Ordering::Relaxed) == 0 {
        return new(bytes, CacheClass::Uncached);
    }
    let block = if is_central(capacity) { central_cache::acquire(capacity) } else { None };
    match block {
        Some(block) => Some((block, false)),
        None => new(capacity, cache_class),
    }
}

/// Caches a freed block, or frees its memory.
pub(super) fn release(block: MemoryBlock) {
    let CacheClass::Thread(index) = block.cache_class() else { return release_slow(block) };
    if LIMIT.load(Ordering::Relaxed) == 0 {
        return release_slow(block);
    }
    if let Err(block) = thread_cache::release(block, index) {
        release_slow(block);
    }
}

#[cold]
fn release_slow(block: MemoryBlock) {
    thread_cache::sync_epoch();
    let limit = LIMIT.load(Ordering::Relaxed);
    if limit == 0 {
        return;
    }
    let block = match block.cache_class() {
        // It may be the thread's first block.
        CacheClass::Thread(index) if thread_cache::ensure_registered() => {
            thread_cache::release(block, index).err()
        }
        CacheClass::Thread(_) | CacheClass::Central => Some(block),
        CacheClass::Uncached => None,
    };
    if let Some(block) = block
        && is_central(block.capacity())
    {
        central_cache::release(block, limit);
    }
}

/// Whether the central cache takes blocks of this size that the thread cache does not: those that
/// are mapped, and so go back to the system when they are dropped.
const fn is_central(capacity: usize) -> bool {
    HAS_CLOCK && capacity > MMAP_THRESHOLD
}

fn new(capacity: usize, cache_class: CacheClass) -> Option<(MemoryBlock, bool)> {
    let block = match MemoryBlock::new(capacity, cache_class) {
        Some(block) => block,
        None => after_clearing(capacity, cache_class)?,
    };
    let is_zero = block.is_zero_when_new();
    Some((block, is_zero))
}

/// New memory after an allocation failed: the cache may hold what the system lacks.
#[cold]
fn after_clearing(capacity: usize, cache_class: CacheClass) -> Option<MemoryBlock> {
    clear();
    MemoryBlock::new(capacity, cache_class)
}

pub(crate) fn limit() -> usize {
    LIMIT.load(Ordering::Relaxed)
}

pub(crate) fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
    if bytes == 0 {
        clear();
    } else {
        central_cache::trim_to(bytes);
    }
}

pub(crate) fn clear() {
    thread_cache::clear();
    central_cache::trim_to(0);
}

/// Bytes in the central cache and in this thread's cache.
pub(crate) fn bytes() -> usize {
    thread_cache::bytes() + central_cache::bytes()
}

#[cfg(test)]
mod tests {
    use super::{CacheClass, LARGEST_LOCAL, LOCAL_SIZES, SMALLEST, size};

    #[test]
    fn sizes_are_few_and_close() {
        let mut sizes: Vec<_> = (SMALLEST..=LARGEST_LOCAL).map(size).collect();
        for (bytes, &(capacity, cache_class)) in (SMALLEST..).zip(&sizes) {
            assert!(capacity >= bytes && capacity - bytes <= bytes / 8, "{bytes}: {capacity}");
            assert_eq!(size(capacity), (capacity, cache_class));
        }
        sizes.dedup();
        assert_eq!(sizes.len(), 1 + 13 * 8);
        let numbers = (0..LOCAL_SIZES).map(|index| CacheClass::Thread(index as u8));
        assert!(sizes.iter().map(|&(_, cache_class)| cache_class).eq(numbers));
        assert_eq!(size(SMALLEST - 1), (SMALLEST - 1, CacheClass::Uncached));
        assert_eq!(size(64 << 20), (64 << 20, CacheClass::Central));
        assert_eq!(size(usize::MAX), (usize::MAX, CacheClass::Uncached));
    }
}
