//! Programs on a plugin, which `TENSOR_XLA_PLUGIN` names or the active Python environment has. Without one, these tests do
//! nothing but say so in one line; on a plugin that has not eight devices, such as one for a GPU, those over several
//! devices are skipped.

mod arguments;
mod calls;
mod engines;
mod files;
mod found;
mod jit;
mod loops;
mod programs;
mod shardings;

use std::sync::OnceLock;

use tensor_xla::{Buffer, Engine, Error, Executable, HostElement, Options, Signature, TensorType};

/// The engine of all tests, with 8 devices where it is one for CPUs; `None` if there is no plugin.
fn engine() -> Option<&'static Engine> {
    static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
    let start = || {
        let engine = found::engine(&Options::new())?;
        if engine.platform() != "cpu" {
            return Some(engine);
        }
        found::engine(&Options::new().cpu_devices(8))
    };
    ENGINE.get_or_init(start).as_ref()
}

/// The engine of all tests, if it has 8 devices.
fn eight_devices() -> Option<&'static Engine> {
    engine().filter(|engine| engine.devices().len() == 8)
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
