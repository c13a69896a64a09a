//! The steps of a training, by the kernels of `tensor-core` or by XLA.

use std::env;
use std::error::Error;

use tensor_core::trace::{Program, try_trace};
use tensor_core::{Tensor, shape};
use tensor_nn::Module;
use tensor_xla::{Engine, Step};

use super::{EngineName, Options};

/// The mean loss of a batch.
pub type Loss = Tensor<shape![]>;

/// A step: replaces the state, and returns the loss. It is called for every batch, or traced once.
type StepOf<S, B> = fn(&mut S, &B) -> Result<Loss, Box<dyn Error>>;

/// The state of a training, `S`, and what computes its steps from batches, `B`.
pub struct Steps<S, B> {
    state: S,
    step: StepOf<S, B>,
    xla: Option<Engine>,
    /// The step that XLA has compiled; the state is on its device.
    compiled: Option<Step<S, B, Loss>>,
}

impl<S: Module + Clone, B: Module + Clone> Steps<S, B> {
    /// The steps of a training that begins, or goes on, with this state.
    ///
    /// The error is that of a plugin that is missing; it names the command that gets one.
    pub fn new(options: &Options, state: S, step: StepOf<S, B>) -> Result<Self, tensor_xla::Error> {
        let xla = (options.engine == EngineName::Xla).then(Engine::find).transpose()?;
        let xla = xla.map(|engine| match env::current_exe() {
            // Beside this program. A second start compiles nothing.
            // SAFETY: who can write to this folder can replace the program as well.
            Ok(program) => unsafe { engine.with_cache(program.with_file_name("xla-programs")) },
            Err(_) => engine,
        });
        Ok(Self { state, step, xla, compiled: None })
    }

    /// Takes a step, and returns the loss.
    pub fn take(&mut self, batch: &B) -> Result<f32, Box<dyn Error>> {
        if let (Some(engine), None) = (&self.xla, &self.compiled) {
            self.compiled = Some(engine.compile_step(self.traced(batch)?, &self.state)?);
        }
        let loss = match &mut self.compiled {
            Some(compiled) => compiled.call(batch)?,
            None => (self.step)(&mut self.state, batch)?,
        };
        Ok(loss.item())
    }

    /// A step as a program. All batches have the sizes of this one.
    #[expect(clippy::type_complexity, reason = "inputs and outputs of the program")]
    fn traced(&self, batch: &B) -> Result<Program<(S, B), (S, Loss)>, Box<dyn Error>> {
        try_trace(&(self.state.clone(), batch.clone()), |(state, batch)| {
            let mut next = state.clone();
            let loss = (self.step)(&mut next, batch)?;
            Ok((next, loss))
        })
    }

    /// The state after the last step.
    pub fn finish(self) -> Result<S, tensor_xla::Error> {
        match self.compiled {
            Some(compiled) => compiled.state(),
            None => Ok(self.state),
        }
    }
}
