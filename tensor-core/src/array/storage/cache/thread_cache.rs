//! The small blocks that a thread has freed: it takes them again without a lock.
//!
//! A thread that ends gives its blocks back. What is freed by a thread that is just ending is not
//! kept.

use core::cell::Cell;
use core::mem::{ManuallyDrop, forget, replace};
use core::sync::atomic::{AtomicUsize, Ordering};

use super::{Block, LOCAL_SIZES};

/// How many bytes a thread keeps at most: they are to be found in its cache.
const MOST: usize = 1 << 20;

/// How often the blocks of all threads were told to go.
static CLEARED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Without a destructor, so that nothing is asked before it is used: [`AtEnd`] has it.
    static KEPT: ManuallyDrop<KeptHere> = const { ManuallyDrop::new(KeptHere::new()) };
    static AT_END: AtEnd = const { AtEnd };
}

/// The blocks that one thread keeps.
///
/// Every word that is written on the way of a small tensor counts: its elements take a few dozen
/// vectors. So a list goes from block to block, and nothing else says which are in it.
struct KeptHere {
    /// The blocks of each size, the one freed last first.
    lists: [Cell<Option<Block>>; LOCAL_SIZES],
    bytes: Cell<usize>,
    /// [`CLEARED`] when this thread last looked.
    cleared: Cell<usize>,
    /// Whether the blocks will be dropped when the thread ends, and that is not yet.
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

    /// Whether no other thread has asked to drop everything since this one last looked.
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

/// Drops the blocks of a thread that ends.
struct AtEnd;

impl Drop for AtEnd {
    fn drop(&mut self) {
        with(|kept| {
            kept.is_ready.set(false);
            kept.clear();
        });
    }
}

/// What `work` makes of the blocks of this thread.
#[inline(always)]
fn with<R>(work: impl FnOnce(&KeptHere) -> R) -> R {
    // `LocalKey::with` is not inlined.
    KEPT.try_with(|kept| work(kept)).expect("there is no destructor")
}

/// Drops everything if some thread asked for that since the last time.
pub(super) fn obey() {
    with(|kept| {
        if !kept.has_obeyed() {
            kept.cleared.set(CLEARED.load(Ordering::Relaxed));
            kept.clear();
        }
    });
}

/// Whether this thread keeps blocks: it does unless it is ending.
pub(super) fn get_ready() -> bool {
    let is_alive = is_alive();
    with(|kept| kept.is_ready.set(is_alive));
    is_alive
}

/// Writes a list that is empty, with nothing to drop.
#[inline(always)]
fn put(list: &Cell<Option<Block>>, blocks: Option<Block>) {
    forget(list.replace(blocks));
}

/// A block of the size with this number; none also where there is something to [obey].
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

/// Keeps a block of the size with this number.
///
/// # Errors
///
/// The block, if there are enough, or if the thread [keeps none](get_ready) or has something to
/// [obey].
#[inline]
pub(super) fn give(mut block: Block, index: u8) -> Result<(), Block> {
    with(|kept| {
        let bytes = kept.bytes.get() + block.capacity();
        if !kept.is_ready.get() || !kept.has_obeyed() || bytes > MOST {
            return Err(block);
        }
        kept.bytes.set(bytes);
        let list = &kept.lists[usize::from(index)];
        // A block that nobody keeps has no next one.
        forget(replace(block.next(), list.take()));
        put(list, Some(block));
        Ok(())
    })
}

/// Drops the blocks of this thread now, and those of every other when it next takes or frees one.
pub(super) fn clear() {
    CLEARED.fetch_add(1, Ordering::Relaxed);
    obey();
}

pub(super) fn bytes() -> usize {
    obey();
    with(|kept| kept.bytes.get())
}

/// Whether this thread is not about to end.
pub(super) fn is_alive() -> bool {
    AT_END.try_with(|_| ()).is_ok()
}
