//! A program that frees its tensors gives their memory back to the system.
//!
//! A separate binary, because memory that other tests leave to the allocator would be counted.
#![cfg(target_os = "linux")]

use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tensor_core::{Tensor, axis, memory, shape};

const MIB: usize = 1 << 20;

axis!(Length);

fn ones(length: usize) -> Tensor<shape![Length]> {
    Tensor::ones_shaped(shape![Length(length)])
}

/// The tests run one after another, each with an empty cache and the default limit.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    memory::set_cache_limit(1 << 30);
    memory::clear_cache();
    guard
}

/// The resident set size in bytes.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let kibibytes: usize = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kibibytes * 1024
}

#[test]
fn memory_goes_back_when_it_is_asked_for() {
    let _alone = alone();
    let before = resident();
    let tensors: Vec<_> = [16 * MIB, 8 * MIB, MIB, MIB / 3, 50_000].map(ones).into();
    let during = resident();
    assert!(during > before + 100 * MIB, "{before} bytes before, {during} during");
    // And many of medium size, which allocators keep, freed by other threads.
    let many: Vec<_> = (0..200).map(|_| ones(40_000)).collect();
    thread::spawn(move || drop((many, tensors))).join().unwrap();
    assert!(memory::cached_bytes() > 130 * MIB);
    memory::clear_cache();
    let after = resident();
    assert!(after < before + 4 * MIB, "{before} bytes before, {after} after");
}

#[test]
fn memory_goes_back_by_itself() {
    let _alone = alone();
    let before = resident();
    drop((ones(16 * MIB), ones(MIB)));
    let during = resident();
    assert!(during > before + 60 * MIB, "{before} bytes before, {during} during");
    nothing_is_kept_in_the_end();
    let after = resident();
    assert!(after < before + 4 * MIB, "{before} bytes before, {after} after");

    // And again, after the background thread has ended.
    drop(ones(16 * MIB));
    nothing_is_kept_in_the_end();
}

/// Waits until the cache is empty: three seconds and up to one more, and much longer on a busy machine.
fn nothing_is_kept_in_the_end() {
    for _ in 0..300 {
        if memory::cached_bytes() == 0 {
            return;
        }
        thread::sleep(Duration::from_millis(200));
    }
    panic!("{} bytes are still kept", memory::cached_bytes());
}

#[test]
fn nothing_stays_when_nothing_is_kept() {
    let _alone = alone();
    memory::set_cache_limit(0);
    let before = resident();
    drop(ones(16 * MIB));
    let after = resident();
    assert!(after < before + 4 * MIB, "{before} bytes before, {after} after");
}
