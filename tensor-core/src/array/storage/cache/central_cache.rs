//! The central cache: large freed blocks, for all threads.
//!
//! A background thread frees idle blocks; it starts with the first cached block and ends with the
//! last. Without it, a program that frees all its tensors and makes no more would keep their memory.
//! Where no thread can be started, and in the child of a fork, each release frees expired blocks.

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Instant;

use super::{Block, thread_cache};

/// Idle blocks are freed after this time.
const KEPT_FOR: Duration = Duration::from_secs(3);
/// Interval of the check.
const LOOKED_AFTER: Duration = Duration::from_secs(1);

/// The clock is read again after this many freed bytes: reading it takes as long as summing a few KiB.
const CLOCK_IS_READ_AFTER: usize = 8 << 20;

static SHARED: Mutex<Shared> = Mutex::new(Shared {
    blocks: BTreeMap::new(),
    bytes: 0,
    keeper: Keeper::None,
    last: None,
    clock: None,
    freed_since: 0,
});

struct Shared {
    /// Blocks by capacity, the most recently freed last.
    blocks: BTreeMap<usize, Vec<Freed>>,
    bytes: usize,
    keeper: Keeper,
    /// Time of the last check for expired blocks.
    last: Option<Instant>,
    /// The last reading of the clock, and bytes freed since then.
    clock: Option<Instant>,
    freed_since: usize,
}

struct Freed {
    block: Block,
    at: Instant,
}

/// The background thread that frees idle blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeper {
    None,
    Running,
    Impossible,
}

/// Locks the cache, with a bounded wait: in the child of a fork, the thread that held the lock does
/// not exist.
fn lock() -> Option<MutexGuard<'static, Shared>> {
    for attempt in 0..10_000 {
        match SHARED.try_lock() {
            Ok(shared) => return Some(shared),
            // No method of `Shared` panics half way through a change.
            Err(TryLockError::Poisoned(error)) => return Some(error.into_inner()),
            Err(TryLockError::WouldBlock) if attempt < 100 => core::hint::spin_loop(),
            Err(TryLockError::WouldBlock) => thread::yield_now(),
        }
    }
    None
}

impl Shared {
    /// The most recently freed block of this capacity, or up to a quarter more.
    fn take(&mut self, capacity: usize) -> Option<Block> {
        let enough = capacity..=capacity.saturating_add(capacity / 4);
        let freed = self.blocks.range_mut(enough).find_map(|(_, blocks)| blocks.pop())?;
        self.bytes -= freed.block.capacity();
        Some(freed.block)
    }

    /// The approximate time, after `bytes` more were freed. The background thread reads the clock too.
    fn time_of_freeing(&mut self, bytes: usize) -> Instant {
        self.freed_since = self.freed_since.saturating_add(bytes);
        match self.clock {
            Some(clock)
                if self.keeper == Keeper::Running && self.freed_since < CLOCK_IS_READ_AFTER =>
            {
                clock
            }
            _ => self.read_clock(),
        }
    }

    fn read_clock(&mut self) -> Instant {
        let now = Instant::now();
        (self.clock, self.freed_since) = (Some(now), 0);
        now
    }

    fn give(&mut self, block: Block, at: Instant) {
        self.bytes += block.capacity();
        self.blocks.entry(block.capacity()).or_default().push(Freed { block, at });
    }

    /// Removes the least recently freed blocks until at most `limit` bytes are left.
    #[must_use = "to be dropped after the lock is released"]
    fn shrink(&mut self, limit: usize) -> Vec<Freed> {
        let mut out = Vec::new();
        while self.bytes > limit {
            let of_each = self.blocks.values_mut().filter(|blocks| !blocks.is_empty());
            let Some(oldest) = of_each.min_by_key(|blocks| blocks[0].at) else { break };
            let freed = oldest.remove(0);
            self.bytes -= freed.block.capacity();
            out.push(freed);
        }
        out
    }

    /// Removes the expired blocks.
    #[must_use = "to be dropped after the lock is released"]
    fn old(&mut self) -> Vec<Freed> {
        let now = self.read_clock();
        let mut out = Vec::new();
        for blocks in self.blocks.values_mut() {
            let is_old = |freed: &Freed| now.saturating_duration_since(freed.at) >= KEPT_FOR;
            out.extend(blocks.drain(..blocks.partition_point(is_old)));
        }
        self.blocks.retain(|_, blocks| !blocks.is_empty());
        self.bytes -= out.iter().map(|freed| freed.block.capacity()).sum::<usize>();
        self.last = Some(now);
        out
    }

    fn looked_after_lately(&self, now: Instant) -> bool {
        self.last.is_some_and(|last| now.saturating_duration_since(last) < 2 * LOOKED_AFTER)
    }
}

pub(super) fn take(capacity: usize) -> Option<Block> {
    lock()?.take(capacity)
}

pub(super) fn give(block: Block, limit: usize) {
    if block.capacity() > limit {
        return;
    }
    let Some(mut shared) = lock() else { return };
    let now = shared.time_of_freeing(block.capacity());
    let mut leaving = shared.shrink(limit - block.capacity());
    if !shared.looked_after_lately(now) {
        leaving.append(&mut shared.old());
    }
    shared.give(block, now);
    let needs_keeper = shared.keeper == Keeper::None && thread_cache::is_alive();
    if needs_keeper {
        shared.keeper = Keeper::Running;
    }
    drop(shared);
    // Unmapping is slow: not under the lock.
    drop(leaving);
    if needs_keeper {
        start_keeper();
    }
}

#[cold]
fn start_keeper() {
    let started = thread::Builder::new().name("tensor-memory".into()).spawn(keep);
    if started.is_err()
        && let Some(mut shared) = lock()
    {
        shared.keeper = Keeper::Impossible;
    }
}

/// Frees expired blocks until none is left.
fn keep() {
    loop {
        thread::sleep(LOOKED_AFTER);
        let Some(mut shared) = lock() else { continue };
        let old = shared.old();
        let is_done = shared.bytes == 0;
        if is_done {
            shared.keeper = Keeper::None;
        }
        drop(shared);
        drop(old);
        if is_done {
            return;
        }
    }
}

/// Frees the least recently freed blocks until at most `limit` bytes are left.
pub(super) fn shrink(limit: usize) {
    let leaving = lock().map(|mut shared| shared.shrink(limit));
    drop(leaving);
}

pub(super) fn bytes() -> usize {
    lock().map_or(0, |shared| shared.bytes)
}
