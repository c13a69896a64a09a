//! What depends on what the process has done before: processes without threads, where none can be started, and after a fork;
//! the first gradient of a type of floats, of which the rules are entered when a tensor is tracked. Each case is a process of
//! this program, which runs it when its name is in the environment.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use half::f16;
use tensor_core::autograd::{checkpoint, custom, grad, value_and_grad};
use tensor_core::element::CastTo;
use tensor_core::trace::{cond, scan, trace};
use tensor_core::{DynTensor, Float, Tensor, fuse, shape, tensor};

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
            for (case, _) in GRADIENTS {
                check(case, &[]);
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
        _ => GRADIENTS.iter().filter(|(name, _)| *name == case).for_each(|(_, run)| run()),
    }
}

type X<T> = Tensor<shape![2], T>;

/// First gradients of a process: that of `e^(2x)` at 0 and 0.5, the only one of its type.
const GRADIENTS: &[(&str, fn())] = &[
    ("an array", || {
        let x = DynTensor::from(tensor![0.0, 0.5]).requires_grad();
        is_slope(&X::try_from((&x * 2.0).exp().gradients(&[&x]).remove(0)).unwrap());
    }),
    ("an array of 16-bit floats", || {
        let x = tensor![0.0, 0.5].cast::<f16>().requires_grad();
        is_slope(&(&x * f16::from_f32(2.0)).exp().sum().gradients(&x));
    }),
    ("a gradient of a gradient of 16-bit floats", || {
        // Half of the slope of the slope is the slope.
        let half = |x: &X<f16>| grad(x, |x| (x + x).exp().sum()).sum() * f16::from_f32(0.5);
        is_slope(&grad(&tensor![0.0, 0.5].cast(), half));
    }),
    ("a cast", || {
        let x = tensor![0.0_f32, 0.5].requires_grad();
        is_slope(&(x.cast::<f64>() * 2.0).exp().sum().cast::<f32>().gradients(&x));
    }),
    ("a cast to 16-bit floats", || {
        let x = tensor![0.0_f32, 0.5].requires_grad();
        is_slope(&(x.cast::<f16>() + x.cast::<f16>()).exp().sum().cast::<f32>().gradients(&x));
    }),
    ("an expression", || {
        let x = tensor![0.0_f32, 0.5].requires_grad();
        is_slope(&fuse!((x.cast::<f64>() * 2.0).exp()).sum().cast::<f32>().gradients(&x));
    }),
    ("an expression in a program", || {
        let program =
            trace(&X::<f32>::zeros(), |x| fuse!((x.cast::<f64>() * 2.0).exp().cast::<f32>()));
        is_slope(&grad(&tensor![0.0, 0.5], |x| program.run(x).unwrap().sum()));
    }),
    ("a function of the user", || {
        let exp = |x: &X<f64>| custom(x, |x| x.exp(), |x, gradient| x.exp() * gradient);
        is_slope(&grad(&tensor![0.0, 0.5], |x| exp(&(x * 2.0)).sum()));
    }),
    ("a checkpoint", || {
        is_slope(&grad(&tensor![0.0, 0.5], |x| checkpoint(x, |x| (x * 2.0).exp()).sum()));
    }),
    ("a program that was traced before", || {
        let program = trace(&X::<f64>::zeros(), |x| (x * 2.0).exp());
        let x = tensor![0.0, 0.5].requires_grad();
        is_slope(&program.run(&x).unwrap().sum().gradients(&x));
    }),
    ("a program with a cast", || {
        let program = trace(&X::<f32>::zeros(), |x| (x.cast::<f64>() * 2.0).exp());
        let x = tensor![0.0_f32, 0.5].requires_grad();
        is_slope(&program.run(&x).unwrap().sum().cast::<f32>().gradients(&x));
    }),
    ("a result of a program", || {
        let program = trace(&X::<f32>::zeros(), |x| x.cast::<f64>());
        let x = tensor![0.0_f32, 0.5].requires_grad();
        is_slope(&(program.run(&x).unwrap() * 2.0).exp().sum().cast::<f32>().gradients(&x));
    }),
    ("a gradient in a program", || {
        let of = |x: &X<f64>| value_and_grad(x, |x| (x * 2.0).exp().sum());
        is_slope(&trace(&X::zeros(), of).run(&tensor![0.0, 0.5]).unwrap().1);
    }),
    ("a captured tensor", || {
        let x = tensor![0.0, 0.5].requires_grad();
        let program = trace(&X::<f64>::zeros(), |y| (&x * 2.0 + y).exp());
        is_slope(&program.run(&X::zeros()).unwrap().sum().gradients(&x));
    }),
    ("a loop", || {
        let twice = |x: &X<f64>| {
            scan(&X::zeros(), &Tensor::<shape![2, 2], f64>::ones(), |sum, row| (sum + row * x, ()))
                .0
        };
        is_slope(&grad(&tensor![0.0, 0.5], |x| twice(x).exp().sum()));
    }),
    ("a loop with a cast", || {
        let rows = Tensor::<shape![2, 2], f64>::ones();
        let twice =
            |x: &X<f32>| scan(&X::zeros(), &rows, |sum, row| (sum + row * x.cast::<f64>(), ())).0;
        is_slope(&grad(&tensor![0.0, 0.5], |x: &X<f32>| twice(x).exp().sum().cast::<f32>()));
    }),
    ("a branch", || {
        let of = |x: &X<f64>| cond(&x.less(9.0).all(), x, |x| (x * 2.0).exp(), |x| x.clone());
        is_slope(&grad(&tensor![0.0, 0.5], |x| of(x).sum()));
        is_slope(
            &trace(&X::zeros(), |x| grad(x, |x| of(x).sum())).run(&tensor![0.0, 0.5]).unwrap(),
        );
    }),
];

/// Whether these are the slopes of `e^(2x)` at 0 and 0.5.
#[track_caller]
fn is_slope<T: Float + CastTo<f64>>(slopes: &X<T>) {
    let slopes = slopes.cast::<f64>();
    let is_close = slopes.all_close(&tensor![2.0, 2.0 * 1.0_f64.exp()], 5e-3, 5e-3);
    assert!(is_close, "{slopes}");
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
