//! The small blocks that a thread has freed: it takes them again without a lock.
//!
//! A thread that ends gives its blocks back. What is freed by a thread that is just ending is not
//! kept.

use core::cell::RefCell;
use core::sync::atomic::{AtomicUsize, Ordering};

use super::{Block, LARGEST_LOCAL, SMALLEST, rounded};

/// How many bytes a thread keeps at most: they are to be found in its cache.
const MOST: usize = 512 << 10;
/// How many sizes of blocks there are.
const SIZES: usize = index(LARGEST_LOCAL) + 1;

/// How often the blocks of all threads were told to go.
static CLEARED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept::new()) };
}

/// The number of a size, counted from the smallest; `size` is [`rounded`].
const fn index(size: usize) -> usize {
    // Behind each power of two come 9 to 16 times its eighth.
    let power = size.next_power_of_two();
    let doublings = power.ilog2() - SMALLEST.ilog2();
    size / (power / 16) + 8 * doublings as usize - 16
}

struct Kept {
    blocks: [Vec<Block>; SIZES],
    bytes: usize,
    cleared: usize,
}

impl Kept {
    const fn new() -> Self {
        Self { blocks: [const { Vec::new() }; SIZES], bytes: 0, cleared: 0 }
    }

    /// Drops everything if some thread asked for that since the last time.
    #[inline]
    fn obey(&mut self) {
        let cleared = CLEARED.load(Ordering::Relaxed);
        if self.cleared != cleared {
            self.clear();
            self.cleared = cleared;
        }
    }

    #[cold]
    fn clear(&mut self) {
        self.blocks.fill_with(Vec::new);
        self.bytes = 0;
    }
}

/// What `work` makes of the blocks of this thread, unless the thread is ending.
#[inline]
fn with<R>(work: impl FnOnce(&mut Kept) -> R) -> Option<R> {
    let borrowed = |kept: &RefCell<Kept>| {
        let mut kept = kept.try_borrow_mut().ok()?;
        kept.obey();
        Some(work(&mut kept))
    };
    KEPT.try_with(borrowed).ok()?
}

#[inline]
pub(super) fn take(capacity: usize) -> Option<Block> {
    debug_assert_eq!(capacity, rounded(capacity));
    with(|kept| {
        let block = kept.blocks[index(capacity)].pop()?;
        kept.bytes -= capacity;
        Some(block)
    })?
}

#[inline]
pub(super) fn give(block: Block, capacity: usize) {
    with(|kept| {
        if kept.bytes + capacity <= MOST {
            kept.bytes += capacity;
            kept.blocks[index(capacity)].push(block);
        }
    });
}

/// Drops the blocks of this thread now, and those of every other when it next takes or frees one.
pub(super) fn clear() {
    CLEARED.fetch_add(1, Ordering::Relaxed);
    with(|_| ());
}

pub(super) fn bytes() -> usize {
    with(|kept| kept.bytes).unwrap_or(0)
}

/// Whether this thread is not about to end.
pub(super) fn is_alive() -> bool {
    KEPT.try_with(|_| ()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::{LARGEST_LOCAL, SMALLEST, rounded};
    use super::{SIZES, index};

    #[test]
    fn every_size_has_its_number() {
        let mut sizes: Vec<usize> = (SMALLEST..=LARGEST_LOCAL).map(rounded).collect();
        sizes.dedup();
        assert!(sizes.iter().map(|&size| index(size)).eq(0..SIZES));
    }
}
