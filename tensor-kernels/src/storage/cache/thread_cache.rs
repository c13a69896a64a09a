//! The thread cache: small blocks that a thread has freed, reused without a lock.
//!
//! It is freed when the thread exits. Blocks freed during thread exit are not cached.

use core::cell::Cell;
use core::mem::{ManuallyDrop, forget, replace};
use core::sync::atomic::{AtomicUsize, Ordering};

use super::{LOCAL_SIZES, MemoryBlock};

/// Largest number of bytes in a thread cache: they should still be in the L2 cache.
const MAX_THREAD_BYTES: usize = 1 << 20;

/// Number of calls of [`clear`]: a thread cache of an earlier epoch is cleared before it is used.
static EPOCH: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Without a destructor, so that access needs no registration check: [`ThreadExitGuard`] clears it.
    static CACHE: ManuallyDrop<ThreadCache> = const { ManuallyDrop::new(ThreadCache::new()) };
    static EXIT_GUARD: ThreadExitGuard = const { ThreadExitGuard };
}

/// Free lists of one thread.
///
/// Every word that is written per small tensor counts, as its elements are a few dozen vectors: the
/// lists are intrusive and singly linked, without counts.
struct ThreadCache {
    /// The blocks of each size class, most recently freed first.
    lists: [Cell<Option<MemoryBlock>>; LOCAL_SIZES],
    bytes: Cell<usize>,
    /// [`EPOCH`] at the last check.
    epoch: Cell<usize>,
    /// Whether the exit guard is registered and has not run yet.
    is_registered: Cell<bool>,
}

impl ThreadCache {
    const fn new() -> Self {
        Self {
            lists: [const { Cell::new(None) }; LOCAL_SIZES],
            bytes: Cell::new(0),
            epoch: Cell::new(0),
            is_registered: Cell::new(false),
        }
    }

    /// Whether no thread has called [`clear`] since the last check.
    #[inline]
    fn is_current_epoch(&self) -> bool {
        self.epoch.get() == EPOCH.load(Ordering::Relaxed)
    }

    fn clear(&self) {
        for list in &self.lists {
            while let Some(mut block) = list.take() {
                list.set(block.next().take());
            }
        }
        self.bytes.set(0);
    }
}

/// Clears the cache of a thread that exits.
struct ThreadExitGuard;

impl Drop for ThreadExitGuard {
    fn drop(&mut self) {
        with(|cache| {
            cache.is_registered.set(false);
            cache.clear();
        });
    }
}

/// Runs `work` on this thread's cache.
#[inline(always)]
fn with<R>(work: impl FnOnce(&ThreadCache) -> R) -> R {
    // `LocalKey::with` is not inlined.
    CACHE.try_with(|cache| work(cache)).expect("there is no destructor")
}

/// Clears this thread's cache if [`clear`] was called since the last check.
pub(super) fn sync_epoch() {
    with(|cache| {
        if !cache.is_current_epoch() {
            cache.epoch.set(EPOCH.load(Ordering::Relaxed));
            cache.clear();
        }
    });
}

/// Registers the exit guard; `false` if the thread is exiting.
pub(super) fn ensure_registered() -> bool {
    let is_alive = is_alive();
    with(|cache| cache.is_registered.set(is_alive));
    is_alive
}

/// Overwrites an empty list, without drop code.
#[inline(always)]
fn put(list: &Cell<Option<MemoryBlock>>, blocks: Option<MemoryBlock>) {
    forget(list.replace(blocks));
}

/// A block of this size class; `None` also if the epoch is old ([`sync_epoch`]).
#[inline]
pub(super) fn acquire(index: u8) -> Option<MemoryBlock> {
    with(|cache| {
        if !cache.is_current_epoch() {
            return None;
        }
        let list = &cache.lists[usize::from(index)];
        let mut block = list.take()?;
        put(list, block.next().take());
        cache.bytes.set(cache.bytes.get() - block.capacity());
        Some(block)
    })
}

/// Caches a block of this size class.
///
/// # Errors
///
/// Returns the block if the cache is full, not registered ([`ensure_registered`]) or of an old epoch
/// ([`sync_epoch`]).
#[inline]
pub(super) fn release(mut block: MemoryBlock, index: u8) -> Result<(), MemoryBlock> {
    with(|cache| {
        let bytes = cache.bytes.get() + block.capacity();
        if !cache.is_registered.get() || !cache.is_current_epoch() || bytes > MAX_THREAD_BYTES {
            return Err(block);
        }
        cache.bytes.set(bytes);
        let list = &cache.lists[usize::from(index)];
        // A block outside the lists has no next one.
        forget(replace(block.next(), list.take()));
        put(list, Some(block));
        Ok(())
    })
}

/// Clears this thread's cache now, and those of other threads at their next access.
pub(super) fn clear() {
    EPOCH.fetch_add(1, Ordering::Relaxed);
    sync_epoch();
}

pub(super) fn bytes() -> usize {
    sync_epoch();
    with(|cache| cache.bytes.get())
}

/// Whether this thread is not exiting.
pub(super) fn is_alive() -> bool {
    EXIT_GUARD.try_with(|_| ()).is_ok()
}
