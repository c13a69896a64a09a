//! The thread cache: small blocks that a thread has freed, reused without a lock.
//!
//! It is freed when the thread exits. Blocks freed during thread exit are not cached.

use core::cell::Cell;
use core::mem::{ManuallyDrop, forget, replace};
use core::sync::atomic::{AtomicUsize, Ordering};

use super::{Block, LOCAL_SIZES};

/// Largest number of bytes in a thread cache: they should still be in the L2 cache.
const MOST: usize = 1 << 20;

/// Number of calls of [`clear`]: a thread cache of an earlier epoch is cleared before it is used.
static CLEARED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Without a destructor, so that access needs no registration check: [`AtEnd`] clears it.
    static KEPT: ManuallyDrop<KeptHere> = const { ManuallyDrop::new(KeptHere::new()) };
    static AT_END: AtEnd = const { AtEnd };
}

/// Free lists of one thread.
///
/// Every word that is written per small tensor counts, as its elements are a few dozen vectors: the
/// lists are intrusive and singly linked, without counts.
struct KeptHere {
    /// The blocks of each size class, most recently freed first.
    lists: [Cell<Option<Block>>; LOCAL_SIZES],
    bytes: Cell<usize>,
    /// [`CLEARED`] at the last check.
    cleared: Cell<usize>,
    /// Whether the exit guard is registered and has not run yet.
    is_ready: Cell<bool>,
}

impl KeptHere {
    const fn new() -> Self {
        Self {
            lists: [const { Cell::new(None) }; LOCAL_SIZES],
            bytes: Cell::new(0),
            cleared: Cell::new(0),
            is_ready: Cell::new(false),
        }
    }

    /// Whether no thread has called [`clear`] since the last check.
    #[inline]
    fn has_obeyed(&self) -> bool {
        self.cleared.get() == CLEARED.load(Ordering::Relaxed)
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
struct AtEnd;

impl Drop for AtEnd {
    fn drop(&mut self) {
        with(|kept| {
            kept.is_ready.set(false);
            kept.clear();
        });
    }
}

/// Runs `work` on this thread's cache.
#[inline(always)]
fn with<R>(work: impl FnOnce(&KeptHere) -> R) -> R {
    // `LocalKey::with` is not inlined.
    KEPT.try_with(|kept| work(kept)).expect("there is no destructor")
}

/// Clears this thread's cache if [`clear`] was called since the last check.
pub(super) fn obey() {
    with(|kept| {
        if !kept.has_obeyed() {
            kept.cleared.set(CLEARED.load(Ordering::Relaxed));
            kept.clear();
        }
    });
}

/// Registers the exit guard; `false` if the thread is exiting.
pub(super) fn get_ready() -> bool {
    let is_alive = is_alive();
    with(|kept| kept.is_ready.set(is_alive));
    is_alive
}

/// Overwrites an empty list, without drop code.
#[inline(always)]
fn put(list: &Cell<Option<Block>>, blocks: Option<Block>) {
    forget(list.replace(blocks));
}

/// A block of this size class; `None` also where the epoch is old ([`obey`]).
#[inline]
pub(super) fn take(index: u8) -> Option<Block> {
    with(|kept| {
        if !kept.has_obeyed() {
            return None;
        }
        let list = &kept.lists[usize::from(index)];
        let mut block = list.take()?;
        put(list, block.next().take());
        kept.bytes.set(kept.bytes.get() - block.capacity());
        Some(block)
    })
}

/// Caches a block of this size class.
///
/// # Errors
///
/// Returns the block if the cache is full, not registered ([`get_ready`]) or of an old epoch
/// ([`obey`]).
#[inline]
pub(super) fn give(mut block: Block, index: u8) -> Result<(), Block> {
    with(|kept| {
        let bytes = kept.bytes.get() + block.capacity();
        if !kept.is_ready.get() || !kept.has_obeyed() || bytes > MOST {
            return Err(block);
        }
        kept.bytes.set(bytes);
        let list = &kept.lists[usize::from(index)];
        // A block outside the lists has no next one.
        forget(replace(block.next(), list.take()));
        put(list, Some(block));
        Ok(())
    })
}

/// Clears this thread's cache now, and those of other threads at their next access.
pub(super) fn clear() {
    CLEARED.fetch_add(1, Ordering::Relaxed);
    obey();
}

pub(super) fn bytes() -> usize {
    obey();
    with(|kept| kept.bytes.get())
}

/// Whether this thread is not exiting.
pub(super) fn is_alive() -> bool {
    AT_END.try_with(|_| ()).is_ok()
}
