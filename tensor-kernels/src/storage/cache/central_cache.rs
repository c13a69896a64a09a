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

use super::{MemoryBlock, thread_cache};

/// Idle blocks are freed after this time.
const IDLE_TIMEOUT: Duration = Duration::from_secs(3);
/// Interval of the check.
const TRIM_INTERVAL: Duration = Duration::from_secs(1);

/// The clock is read again after this many freed bytes: reading it takes as long as summing a few KiB.
const CLOCK_REFRESH_BYTES: usize = 8 << 20;

static CENTRAL: Mutex<CentralCache> = Mutex::new(CentralCache {
    blocks: BTreeMap::new(),
    bytes: 0,
    trim_thread: TrimThread::None,
    last: None,
    clock: None,
    freed_since: 0,
});

struct CentralCache {
    /// Blocks by capacity, the most recently freed last.
    blocks: BTreeMap<usize, Vec<CachedBlock>>,
    bytes: usize,
    trim_thread: TrimThread,
    /// Time of the last check for expired blocks.
    last: Option<Instant>,
    /// The last reading of the clock, and bytes freed since then.
    clock: Option<Instant>,
    freed_since: usize,
}

struct CachedBlock {
    block: MemoryBlock,
    at: Instant,
}

/// The background thread that frees idle blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TrimThread {
    None,
    Running,
    Impossible,
}

/// Locks the cache, with a bounded wait: in the child of a fork, the thread that held the lock does
/// not exist.
fn lock() -> Option<MutexGuard<'static, CentralCache>> {
    for attempt in 0..10_000 {
        match CENTRAL.try_lock() {
            Ok(central) => return Some(central),
            // No method of `CentralCache` panics half way through a change.
            Err(TryLockError::Poisoned(error)) => return Some(error.into_inner()),
            Err(TryLockError::WouldBlock) if attempt < 100 => core::hint::spin_loop(),
            Err(TryLockError::WouldBlock) => thread::yield_now(),
        }
    }
    None
}

impl CentralCache {
    /// The most recently freed block of this capacity, or up to a quarter more.
    fn acquire(&mut self, capacity: usize) -> Option<MemoryBlock> {
        let enough = capacity..=capacity.saturating_add(capacity / 4);
        let freed = self.blocks.range_mut(enough).find_map(|(_, blocks)| blocks.pop())?;
        self.bytes -= freed.block.capacity();
        Some(freed.block)
    }

    /// The approximate time, after `bytes` more were freed. The background thread reads the clock too.
    fn coarse_now(&mut self, bytes: usize) -> Instant {
        self.freed_since = self.freed_since.saturating_add(bytes);
        match self.clock {
            Some(clock)
                if self.trim_thread == TrimThread::Running
                    && self.freed_since < CLOCK_REFRESH_BYTES =>
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

    fn release(&mut self, block: MemoryBlock, at: Instant) {
        self.bytes += block.capacity();
        self.blocks.entry(block.capacity()).or_default().push(CachedBlock { block, at });
    }

    /// Removes the least recently freed blocks until at most `limit` bytes are left.
    #[must_use = "to be dropped after the lock is released"]
    fn trim_to(&mut self, limit: usize) -> Vec<CachedBlock> {
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
    fn take_expired(&mut self) -> Vec<CachedBlock> {
        let now = self.read_clock();
        let mut out = Vec::new();
        for blocks in self.blocks.values_mut() {
            let is_expired =
                |freed: &CachedBlock| now.saturating_duration_since(freed.at) >= IDLE_TIMEOUT;
            out.extend(blocks.drain(..blocks.partition_point(is_expired)));
        }
        self.blocks.retain(|_, blocks| !blocks.is_empty());
        self.bytes -= out.iter().map(|freed| freed.block.capacity()).sum::<usize>();
        self.last = Some(now);
        out
    }

    fn was_trimmed_recently(&self, now: Instant) -> bool {
        self.last.is_some_and(|last| now.saturating_duration_since(last) < 2 * TRIM_INTERVAL)
    }
}

pub(super) fn acquire(capacity: usize) -> Option<MemoryBlock> {
    lock()?.acquire(capacity)
}

pub(super) fn release(block: MemoryBlock, limit: usize) {
    if block.capacity() > limit {
        return;
    }
    let Some(mut central) = lock() else { return };
    let now = central.coarse_now(block.capacity());
    let mut leaving = central.trim_to(limit - block.capacity());
    if !central.was_trimmed_recently(now) {
        leaving.append(&mut central.take_expired());
    }
    central.release(block, now);
    let needs_trim_thread = central.trim_thread == TrimThread::None && thread_cache::is_alive();
    if needs_trim_thread {
        central.trim_thread = TrimThread::Running;
    }
    drop(central);
    // Unmapping is slow: not under the lock.
    drop(leaving);
    if needs_trim_thread {
        start_trim_thread();
    }
}

#[cold]
fn start_trim_thread() {
    let started = thread::Builder::new().name("tensor-memory".into()).spawn(trim_until_empty);
    if started.is_err()
        && let Some(mut central) = lock()
    {
        central.trim_thread = TrimThread::Impossible;
    }
}

/// Frees expired blocks until none is left.
fn trim_until_empty() {
    loop {
        thread::sleep(TRIM_INTERVAL);
        let Some(mut central) = lock() else { continue };
        let old = central.take_expired();
        let is_done = central.bytes == 0;
        if is_done {
            central.trim_thread = TrimThread::None;
        }
        drop(central);
        drop(old);
        if is_done {
            return;
        }
    }
}

/// Frees the least recently freed blocks until at most `limit` bytes are left.
pub(super) fn trim_to(limit: usize) {
    let leaving = lock().map(|mut central| central.trim_to(limit));
    drop(leaving);
}

pub(super) fn bytes() -> usize {
    lock().map_or(0, |central| central.bytes)
}
