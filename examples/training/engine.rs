//! What computes the steps of a training: the kernels of `tensor-core`, or XLA.

use std::env;

use tensor_xla::Engine;

use super::{EngineName, Options};

/// XLA, if the options name it: it keeps what it compiles beside this program, so that a second start compiles nothing.
///
/// The error is that of a plugin that is missing; it names the command that gets one.
pub fn engine(options: &Options) -> Result<Option<Engine>, tensor_xla::Error> {
    let xla = (options.engine == EngineName::Xla).then(Engine::find).transpose()?;
    Ok(xla.map(|engine| match env::current_exe() {
        // SAFETY: who can write to this folder can replace the program as well.
        Ok(program) => unsafe { engine.with_cache(program.with_file_name("xla-programs")) },
        Err(_) => engine,
    }))
}
