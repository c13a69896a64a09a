//! Operations within the locks of users, in tasks of `rayon`, and in the callback of the warning.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tensor_core::{Tensor, broadcast_warning, shape, tensor};

/// Asserts that `work` ends; if it does not, its thread is leaked.
fn ends<R: Send + 'static>(name: &str, work: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, done) = channel();
    let worker = thread::spawn(move || sender.send(work()));
    match done.recv_timeout(Duration::from_secs(120)) {
        Ok(result) => result,
        Err(_) if worker.is_finished() => panic!("{name} panicked: {:?}", worker.join().err()),
        Err(_) => panic!("{name} waits for ever"),
    }
}

/// 4 MiB: more than one thread works on it.
type Large = Tensor<shape![1024, 1024]>;

/// A thread that waits for the other one must not take the task that wants its lock.
#[test]
fn a_large_operation_within_a_lock_in_a_task() {
    ends("an operation within a lock", || {
        for _ in 0..40 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let sum = Arc::new(Mutex::new(Large::zeros()));
            let (begin, begun) = channel();
            let (end, ended) = channel();
            let (first, ends) = (Arc::clone(&sum), end.clone());
            pool.spawn(move || {
                let mut sum = first.lock().unwrap();
                begin.send(()).unwrap();
                for _ in 0..10 {
                    *sum = &*sum + 1.0;
                }
                drop(sum);
                ends.send(()).unwrap();
            });
            begun.recv().unwrap();
            // While the other thread helps the one that holds the lock, this task waits for one of them.
            let second = Arc::clone(&sum);
            pool.spawn(move || {
                let mut sum = second.lock().unwrap();
                *sum = &*sum * 2.0;
                drop(sum);
                end.send(()).unwrap();
            });
            ended.recv().unwrap();
            ended.recv().unwrap();
            let sum = sum.lock().unwrap();
            assert!(sum.iter().all(|&x| x == 20.0));
        }
    });
}

#[test]
fn nested_tasks_whose_waiting_takes_others_on() {
    ends("operations in nested tasks", || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let total = pool.install(|| {
            let product = || {
                let (x, y) = rayon::join(|| Large::full(2.0).exp(), || Large::full(3.0) * 2.0);
                (x.ln() + y).sum_axis::<0>().sum().item() as f64
            };
            let (a, b) = rayon::join(product, || rayon::join(product, product));
            a + b.0 + b.1
        });
        let expected = 3.0 * 8.0 * 1024.0 * 1024.0;
        assert!((total - expected).abs() < 1e-3 * expected, "{total}");
    });
}

/// The panic of a helper goes on in the caller, and the pool goes on.
#[test]
fn a_panic_on_another_thread_reaches_the_caller() {
    ends("a panic on another thread", || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        pool.install(|| {
            let x = Tensor::<shape![1024, 1024], i32>::ones();
            let mut zeros = x.clone();
            zeros.as_mut_slice()[1024 * 1024 - 1] = 0;
            assert!(std::panic::catch_unwind(|| &x / &zeros).is_err());
            assert_eq!((&x + &zeros)[[1023, 1023]], 1);
        });
    });
}

/// The callback runs without a lock: it may compute, also what is reported, and change the warning.
#[test]
fn the_callback_of_the_warning_may_do_what_it_reports() {
    ends("an operation in the callback", || {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let outer_sum = || tensor![[1.0], [2.0]] + tensor![3.0, 4.0];
        broadcast_warning::enable_with(move |_| {
            CALLS.fetch_add(1, Ordering::SeqCst);
            // Reported by another call of this closure.
            let _ = tensor![[1], [2]] * tensor![3, 4];
        });
        let _ = outer_sum();
        assert_eq!(CALLS.load(Ordering::SeqCst), 2);

        broadcast_warning::enable_with(|_| {
            CALLS.fetch_add(10, Ordering::SeqCst);
            broadcast_warning::disable();
        });
        let _ = outer_sum();
        let _ = tensor![[1.0], [2.0]] - tensor![3.0, 4.0];
        assert_eq!(CALLS.load(Ordering::SeqCst), 12);

        /// A value of the closure that changes the warning when it is dropped.
        struct DisablesOnDrop;

        impl Drop for DisablesOnDrop {
            fn drop(&mut self) {
                broadcast_warning::disable();
            }
        }

        let held = DisablesOnDrop;
        broadcast_warning::enable_with(move |_| {
            let _ = &held;
        });
        broadcast_warning::enable_with(|_| {});
        broadcast_warning::disable();
    });
}
