//! Processes without threads: where none can be started, and after a fork. Each case is a process of
//! this program, which runs it when its name is in the environment.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use tensor_core::{Tensor, shape};

/// The name of the case to run.
const CASE: &str = "PROCESSES_CASE";

/// A name, and what the process is started with.
const CASES: &[(&str, &[(&str, &str)])] = &[
    // No thread gets a stack of 2^60 bytes.
    ("no thread can be started", &[("RUST_MIN_STACK", "1152921504606846976")]),
    ("fork", &[]),
    ("fork before the first operation", &[]),
];

fn main() -> ExitCode {
    match std::env::var(CASE) {
        Ok(case) => run(&case),
        Err(_) => {
            for (case, environment) in CASES {
                check(case, environment);
                println!("{case}: ok");
            }
        }
    }
    ExitCode::SUCCESS
}

/// Runs a case in a separate process.
fn check(case: &str, environment: &[(&str, &str)]) {
    let program = std::env::current_exe().expect("the path of this program");
    let mut process = Command::new(program)
        .env(CASE, case)
        .envs(environment.iter().copied())
        .spawn()
        .expect("a process");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = process.try_wait().expect("the status of the process") {
            break status;
        }
        if start.elapsed() > Duration::from_secs(120) {
            process.kill().expect("the process is there");
            panic!("{case}: waits for ever");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{case}: {status}");
}

fn run(case: &str) {
    match case {
        "no thread can be started" => {
            assert!(std::thread::Builder::new().spawn(|| {}).is_err(), "a thread was started");
            compute();
        }
        #[cfg(unix)]
        "fork" => {
            compute();
            in_forked_process(compute);
            compute();
        }
        #[cfg(unix)]
        "fork before the first operation" => {
            // The threads of the user's pool stay in the parent, one of which forks.
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
            pool.install(|| {
                in_forked_process(compute);
                compute();
            });
        }
        _ => {}
    }
}

/// Operations that are large enough for several threads, one of each kind.
fn compute() {
    let x = Tensor::<shape![1024, 1024]>::full(2.0);
    assert!((&x + 1.0).iter().all(|&sum| sum == 3.0));
    assert_eq!(x.sum().item(), 2.0 * 1024.0 * 1024.0);
    assert!(x.sum_axis::<0>().iter().all(|&sum| sum == 2048.0));
    assert!(x.cumsum::<1>().sum_axis::<0>().iter().zip(1..).all(|(&x, n)| x == (2048 * n) as f32));
    assert!(x.matmul(&x.transpose()).iter().all(|&sum| sum == 4096.0));
}

/// Runs `work` in a forked process, which has 60 seconds.
#[cfg(unix)]
fn in_forked_process(work: impl FnOnce()) {
    // SAFETY: the child computes and exits. It shares no lock with a thread that was in the middle of
    // an operation: the parent's threads are idle.
    match unsafe { libc::fork() } {
        0 => {
            // SAFETY: the signal ends the process where it waits for ever.
            unsafe { libc::alarm(60) };
            let status = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            // SAFETY: nothing of the parent is flushed or freed.
            unsafe { libc::_exit(i32::from(status.is_err())) }
        }
        -1 => panic!("no process: {}", std::io::Error::last_os_error()),
        child => {
            let mut status = 0;
            // SAFETY: the child of this process, and room for its status.
            let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
            assert_eq!((waited, status), (child, 0), "the forked process failed");
        }
    }
}
