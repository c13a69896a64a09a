use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::{
    PARALLEL_BYTES, for_each_loop_part_weighted, for_each_part, for_each_part_weighted, helpers,
};
use crate::plan::Loops;

/// Runs in a separate pool, so that there are several threads on any machine.
fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool of threads").install(work)
}

/// Every step of the loops is in exactly one part, whatever the sizes, at the right position.
#[test]
fn parts_of_loops_cover_the_results() {
    let shapes: [&[usize]; 6] = [
        &[4_000_000],
        &[2, 2_000_000],
        &[1_999_999, 2],
        &[3, 5, 7, 40_000],
        &[4096, 1024],
        &[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 17_000],
    ];
    for sizes in shapes {
        let strides = crate::plan::row_major_strides(sizes);
        let loops = Loops::from_strides(sizes, [&strides], [0]);
        let len = sizes.iter().product();
        for threads in [1, 2, 3, 16] {
            let mut results = vec![0_u32; len];
            with_threads(threads, || {
                let bytes = size_of_val(&results[..]);
                for_each_loop_part_weighted(&loops, &mut results, bytes, &|loops, results| {
                    let mut rest = results;
                    let [rows, columns] = loops.block();
                    loops.for_each_block(|[start]| {
                        for row in 0..rows.size {
                            let start = start + row as isize * rows.strides[0];
                            for (column, result) in
                                rest.split_off_mut(..columns.size).unwrap().iter_mut().enumerate()
                            {
                                *result += 1 + (start + column as isize) as u32;
                            }
                        }
                    });
                    assert!(rest.is_empty());
                });
            });
            assert!(results.iter().zip(1..).all(|(&result, index)| result == index), "{sizes:?}");
        }
    }
}

#[test]
fn parts_of_a_slice_are_of_whole_units() {
    let mut results = vec![0_u32; 3 * 1_000_003];
    with_threads(5, || {
        for_each_part(&mut results, 3, |start, part| {
            assert_eq!(start % 3, 0);
            assert_eq!(part.len() % 3, 0);
            part.iter_mut().zip(start as u32..).for_each(|(slot, index)| *slot = index);
        });
    });
    assert!(results.iter().zip(0..).all(|(&result, index)| result == index));
}

/// A panic of a helper is resumed in the caller after all helpers have ended.
#[test]
fn a_panic_of_a_helper_goes_on_in_the_caller() {
    let mut results = vec![0_u8; 4 << 20];
    let both = Barrier::new(2);
    let outcome = with_threads(2, || {
        let caller = std::thread::current().id();
        catch_unwind(AssertUnwindSafe(|| {
            for_each_part(&mut results, 1, |start, part| {
                // The first two parts are processed at the same time, one of them by a helper.
                if start < 2 * part.len() {
                    both.wait();
                }
                assert_eq!(std::thread::current().id(), caller, "a helper");
                part.fill(1);
            });
        }))
    });
    let message = outcome.unwrap_err();
    assert!(message.downcast_ref::<String>().is_some_and(|message| message.contains("a helper")));
}

/// Operations that follow each other are helped by threads that are awake; those of several callers at once
/// do not get each other's parts, and a panic reaches its caller.
#[test]
fn helpers_poll_for_the_next_operation() {
    // Fails if another test has started it.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(4).build_global();
    let is_helped = AtomicBool::new(false);
    let call = |number: u32| {
        let caller = std::thread::current().id();
        let mut results = [0; 1024];
        for round in number..number + 1000 {
            let is_awake = helpers::are_polling();
            // A quarter of what wakes threads that sleep, for the most part.
            let bytes = if round % 8 == 0 { PARALLEL_BYTES } else { PARALLEL_BYTES / 4 };
            for_each_part_weighted(&mut results, bytes, 1, |start, part| {
                let is_helper = std::thread::current().id() != caller;
                is_helped.fetch_or(is_awake && is_helper && bytes < PARALLEL_BYTES, Relaxed);
                part.iter_mut().zip(start as u32..).for_each(|(slot, index)| *slot = index ^ round);
            });
            assert!(results.iter().zip(0..).all(|(&result, index)| result == index ^ round));
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            for_each_part_weighted(&mut results, PARALLEL_BYTES, 1, |_, _| {
                assert_eq!(std::thread::current().id(), caller, "of caller {number}");
            });
        }));
        if let Err(message) = outcome {
            let message = message.downcast_ref::<String>().expect("the message of the assertion");
            assert!(message.contains(&format!("of caller {number}")), "{message}");
        }
    };
    std::thread::scope(|scope| {
        for caller in 0..3 {
            let call = &call;
            scope.spawn(move || call(1000 * caller));
        }
    });
    if helpers::num_threads() > 1 {
        assert!(is_helped.into_inner(), "by a thread that polls");
    }
}

/// Operations do not leave tasks behind in a pool that the user keeps busy.
#[test]
fn helpers_do_not_pile_up_in_a_busy_pool() {
    // Fails if another test has started it.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(4).build_global();
    let threads = rayon::current_num_threads();
    let (busy, done) = (Barrier::new(threads + 1), Barrier::new(threads + 1));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            rayon::broadcast(|_| {
                busy.wait();
                done.wait();
            });
        });
        busy.wait();
        let mut results = [0; 1024];
        for _ in 0..1000 {
            for_each_part_weighted(&mut results, PARALLEL_BYTES, 1, |_, part| part.fill(1));
        }
        // Those of some callers: other tests run beside this one.
        let waiting = helpers::FREE.load(Relaxed);
        done.wait();
        assert!(waiting <= 20 * threads, "{waiting} tasks for {threads} threads");
    });
}
