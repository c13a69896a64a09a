//! The cache of freed memory and its limits. `resident_memory.rs` tests that memory goes back to the
//! system.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use tensor_core::{Tensor, axis, memory, shape};

const MIB: usize = 1 << 20;

axis!(Length);

fn ones(length: usize) -> Tensor<shape![Length]> {
    Tensor::ones_shaped(shape![Length(length)])
}

/// The address of the first element.
fn place(tensor: &Tensor<shape![Length]>) -> *const f32 {
    tensor.iter().next().unwrap()
}

/// The cache is global: the tests run one after another, each with an empty cache and the default limit.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    memory::set_cache_limit(1 << 30);
    memory::clear_cache();
    guard
}

fn on_another_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| scope.spawn(work).join().unwrap())
}

#[test]
fn the_next_tensor_takes_the_memory() {
    let _alone = alone();
    for length in [256, 1024, 20_000, 100_000, 1 << 20, 3_000_000] {
        let first = ones(length);
        let first_place = place(&first);
        drop(first);
        let kept = memory::cached_bytes();
        assert!((4 * length..=4 * length + (length / 2).max(64)).contains(&kept), "{kept}");
        let second = ones(length);
        assert_eq!(place(&second), first_place);
        assert_eq!(memory::cached_bytes(), 0);
        drop(second);
        memory::clear_cache();
        assert_eq!(memory::cached_bytes(), 0);
    }
}

#[test]
fn zeros_are_zero_in_memory_that_was_used() {
    let _alone = alone();
    for length in [256, 1000, 40_000, 300_000, 1 << 20] {
        drop(ones(length));
        assert!(memory::cached_bytes() > 0);
        let zeros: Tensor<shape![Length]> = Tensor::zeros_shaped(shape![Length(length)]);
        assert!(zeros.iter().all(|&x| x == 0.0));
    }
}

#[test]
fn a_limit_of_zero_keeps_nothing() {
    let _alone = alone();
    drop((ones(1000), ones(MIB)));
    memory::set_cache_limit(0);
    assert_eq!(memory::cache_limit(), 0);
    for length in [1000, 40_000, MIB] {
        drop(ones(length));
        assert_eq!(memory::cached_bytes(), 0);
    }
    // Blocks allocated with the cache off are freed with it on, and vice versa.
    let odd = ones(10_001);
    memory::set_cache_limit(MIB);
    drop(odd);
    assert_eq!(memory::cached_bytes(), 0);
    let even = ones(1024);
    memory::set_cache_limit(0);
    drop(even);
    assert_eq!(memory::cached_bytes(), 0);
}

#[test]
fn no_more_than_the_limit_is_kept() {
    let _alone = alone();
    memory::set_cache_limit(10 * MIB);
    // 4 MiB each, of which two fit; and one that is too large.
    let tensors: Vec<_> = (0..5).map(|_| ones(MIB)).collect();
    let last = place(&tensors[4]);
    drop(tensors);
    assert_eq!(memory::cached_bytes(), 8 * MIB);
    drop(ones(3 * MIB));
    assert_eq!(memory::cached_bytes(), 8 * MIB);
    // The least recently freed are gone.
    let newest = ones(MIB);
    assert_eq!(place(&newest), last);
    memory::set_cache_limit(MIB);
    assert_eq!(memory::cached_bytes(), 0);
}

#[test]
fn a_thread_keeps_few_small_blocks_and_none_when_it_ends() {
    let _alone = alone();
    on_another_thread(|| {
        drop((0..2000).map(|_| ones(1024)).collect::<Vec<_>>());
        let kept = memory::cached_bytes();
        assert!((900 << 10..=1 << 20).contains(&kept), "{kept}");
    });
    assert_eq!(memory::cached_bytes(), 0);
}

#[test]
fn threads_free_the_blocks_of_each_other() {
    let _alone = alone();
    for length in [1000, 40_000, 200_000, MIB] {
        let here = ones(length);
        on_another_thread(move || {
            drop(here);
            assert!(memory::cached_bytes() >= 4 * length);
        });
        // Large blocks are cached centrally, small ones were freed with their thread.
        assert_eq!(memory::cached_bytes() > 0, length > 131_072, "{length}");
        memory::clear_cache();
    }
}

/// A tensor in a thread-local variable is freed during thread exit.
#[test]
fn tensors_outlive_what_their_thread_keeps() {
    thread_local! {
        static KEPT: std::cell::RefCell<Vec<Tensor<shape![Length]>>> =
            const { std::cell::RefCell::new(Vec::new()) };
    }
    let _alone = alone();
    on_another_thread(|| {
        KEPT.with_borrow_mut(|kept| kept.extend([ones(1000), ones(MIB)]));
        drop(ones(1000));
    });
    memory::clear_cache();
    assert_eq!(memory::cached_bytes(), 0);
}

#[test]
fn every_thread_hears_that_the_cache_is_cleared() {
    let _alone = alone();
    let (to, from) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            drop(ones(1000));
            assert!(memory::cached_bytes() > 0);
            to.wait();
            from.wait();
            assert_eq!(memory::cached_bytes(), 0);
        });
        to.wait();
        memory::clear_cache();
        from.wait();
    });
}

/// Many threads make, send and drop tensors of many sizes while others change the limit: each reads
/// back what it has written.
#[test]
fn many_threads_and_sizes() {
    let _alone = alone();
    let shelf: Mutex<Vec<(f32, Tensor<shape![Length]>)>> = Mutex::new(Vec::new());
    let work = |seed: usize| {
        let mut state = seed as u64;
        for step in 0..400 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = (state >> 33) as usize;
            let length = 17 + random % (1 << (6 + random % 13));
            let value = (seed * 1000 + step) as f32;
            let tensor = (ones(length) - 1.0) + value;
            shelf.lock().unwrap().push((value, tensor));
            let taken = {
                let mut shelf = shelf.lock().unwrap();
                let place = random % shelf.len();
                (shelf.len() > 20).then(|| shelf.swap_remove(place))
            };
            if let Some((value, tensor)) = taken {
                assert!(tensor.iter().all(|&x| x == value), "{value}");
            }
            match random % 50 {
                0 => memory::set_cache_limit((random % 3) * MIB),
                1 => memory::clear_cache(),
                _ => {}
            }
        }
    };
    thread::scope(|scope| {
        for seed in 0..8 {
            scope.spawn(move || work(seed));
        }
    });
    memory::clear_cache();
    assert_eq!(memory::cached_bytes(), 0);
}

#[test]
fn an_operation_that_panics_leaves_the_cache_as_it_was() {
    let _alone = alone();
    let tensor = ones(MIB);
    drop(ones(MIB));
    let panicking = || tensor.map(|x| if x > 0.0 { panic!("stop") } else { x });
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panicking)).is_err());
    assert_eq!(memory::cached_bytes(), 4 * MIB);
}
