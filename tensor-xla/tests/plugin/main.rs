//! Programs on a plugin for CPUs, which `TENSOR_XLA_PLUGIN` names or the active Python environment has. Without one,
//! these tests do nothing but say so in one line.

mod arguments;
mod calls;
mod engines;
mod files;
mod programs;
mod shardings;

use std::io::Write;
use std::sync::OnceLock;

use tensor_xla::{Buffer, Engine, Error, Executable, HostElement, Options, Signature, TensorType};

/// The engine of all tests, with 8 devices; `None` if there is no plugin.
fn engine() -> Option<&'static Engine> {
    static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
    let start = || match Engine::find_with(&Options::new().cpu_devices(8)) {
        Ok(engine) => Some(engine),
        Err(error @ Error::NoPlugin { .. }) => {
            // `eprintln!` is shown for failed tests alone.
            let _ = writeln!(
                std::io::stderr(),
                "tests of tensor-xla that need a plugin are skipped: {error}"
            );
            None
        }
        // A plugin that is there and does not work is no reason to skip tests.
        Err(error) => panic!("{error}"),
    };
    ENGINE.get_or_init(start).as_ref()
}

/// Compiles a program with the signature of its text.
fn compile(engine: &Engine, text: &str) -> Executable {
    engine.compile(text, &Signature::of_text(text).unwrap()).unwrap()
}

/// A tensor on one device.
fn buffer<T: HostElement>(engine: &Engine, sizes: &[usize], elements: &[T]) -> Buffer {
    Buffer::from_slice(engine, &TensorType::of::<T>(sizes), elements).unwrap()
}

/// The message of a failed operation.
fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.expect_err("an operation that must fail").to_string()
}
