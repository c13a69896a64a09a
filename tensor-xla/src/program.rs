//! Traced programs on an engine: typed inputs and outputs.

use tensor_core::Module;
use tensor_core::trace::{Attributes, Program};

use crate::buffer::Buffer;
use crate::engine::Engine;
use crate::error::Error;
use crate::executable::{Argument, Executable};
use crate::sharding::ShardedProgram;
use crate::signature::Signature;

/// A [`Program`] that an engine has compiled.
#[derive(Debug)]
pub struct Compiled<I, O> {
    engine: Engine,
    program: Program<I, O>,
    executable: Executable,
    /// The large constants of the program.
    constants: Vec<Buffer>,
}

/// A training step that an engine has compiled, with its state on the device.
///
/// The state is replaced in each step, for example a model and its optimiser. A call copies the batch to the device
/// and the result back, and nothing else.
#[derive(Debug)]
pub struct Step<S, B, R> {
    engine: Engine,
    program: Program<(S, B), (S, R)>,
    executable: Executable,
    /// The large constants of the program.
    constants: Vec<Buffer>,
    state: Vec<Buffer>,
}

/// The message of a call that loses the state, or that has none.
const LOST: &str = "the state of the step was lost in a call that failed: give the step another one by `set_state`, such as \
    that of a checkpoint";

impl Engine {
    /// Compiles a program. Its constants of more than 64 KiB are copied to the device once, and are no part of what is compiled.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if the plugin does not accept the program; [`Error::Saved`] if the folder of
    /// [`with_cache`](Engine::with_cache) cannot be written.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&tensor![0.0_f32, 0.0], |x| x.softmax::<-1>());
    /// let softmax = Engine::find()?.compile_program(program)?;
    /// assert_eq!(softmax.call(&tensor![5.0, 5.0])?, tensor![0.5, 0.5]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn compile_program<I: Module, O: Module + Clone>(
        &self,
        program: Program<I, O>,
    ) -> Result<Compiled<I, O>, Error> {
        self.compile_with(program, &Attributes::default())
    }

    /// [`compile_program`](Engine::compile_program) over the devices of a mesh: a call gives each device its part of the
    /// inputs, and puts the parts of the outputs together.
    ///
    /// # Errors
    ///
    /// As [`compile_program`](Engine::compile_program), and [`Error::Sharding`] if the mesh has more devices than the
    /// engine.
    ///
    /// ```no_run
    /// use tensor_core::{Tensor, axis, shape, trace::trace};
    /// use tensor_xla::{Engine, Options, mesh, shard, sharding};
    ///
    /// axis!(Batch = 8);
    /// mesh!(Grid: Data = 4);
    /// sharding!(Rules on Grid: Batch => Data);
    ///
    /// let x = Tensor::<shape![Batch, 3]>::ones();
    /// let program = shard(trace(&x, |x| x.sum_axis::<0>()), Rules)?;
    /// let sum = Engine::find_with(&Options::new().cpu_devices(4))?.compile_sharded(program)?;
    /// assert_eq!(sum.call(&x)?.to_vec(), [8.0, 8.0, 8.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn compile_sharded<I: Module, O: Module + Clone>(
        &self,
        program: ShardedProgram<I, O>,
    ) -> Result<Compiled<I, O>, Error> {
        let attributes = program.attributes();
        self.compile_with(program.into_program(), &attributes)
    }

    fn compile_with<I: Module, O: Module + Clone>(
        &self,
        program: Program<I, O>,
        attributes: &Attributes,
    ) -> Result<Compiled<I, O>, Error> {
        let (executable, constants) = self.compiled(&program, attributes)?;
        Ok(Compiled { engine: self.clone(), program, executable, constants })
    }

    /// Compiles a step from a state and a batch to the next state and a result, and copies a state to the device.
    ///
    /// # Errors
    ///
    /// As [`compile_program`](Engine::compile_program), and [`Error::Argument`] if the state does not fit the program.
    ///
    /// # Panics
    ///
    /// If a tensor of the next state has another element type or other sizes than that of the state.
    ///
    /// ```no_run
    /// use tensor_core::{autograd::value_and_grad, tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let weights = tensor![1.0_f32, 2.0];
    /// let program = trace(&(weights.clone(), tensor![0.0_f32, 0.0]), |(weights, x)| {
    ///     let (loss, gradient) = value_and_grad(weights, |weights| (weights * x).square().sum());
    ///     (weights - gradient * 0.5, loss)
    /// });
    /// let mut step = Engine::find()?.compile_step(program, &weights)?;
    /// let loss = step.call(&tensor![3.0, 4.0])?;
    /// assert_eq!((step.state()?, loss.item()), (tensor![-8.0, -30.0], 73.0));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    #[track_caller]
    pub fn compile_step<S, B, R>(
        &self,
        program: Program<(S, B), (S, R)>,
        state: &S,
    ) -> Result<Step<S, B, R>, Error>
    where
        S: Module + Clone,
        B: Module,
        R: Module + Clone,
    {
        self.compile_step_with(program, Attributes::default(), state)
    }

    /// [`compile_step`](Engine::compile_step) over the devices of a mesh: each device keeps its part of the state, a
    /// call gives each its part of the batch, and [`Step::state`] puts the parts together.
    ///
    /// # Errors
    ///
    /// As [`compile_step`](Engine::compile_step), and [`Error::Sharding`] if the mesh has more devices than the engine.
    ///
    /// # Panics
    ///
    /// As [`compile_step`](Engine::compile_step).
    ///
    /// ```no_run
    /// use tensor_core::{Tensor, autograd::value_and_grad, axis, shape, trace::trace};
    /// use tensor_xla::{Engine, Options, mesh, shard, sharding};
    ///
    /// axis!(Batch = 8);
    /// mesh!(Grid: Data = 4);
    /// sharding!(Rules on Grid: Batch => Data);
    ///
    /// let (weights, rows) = (Tensor::<shape![3]>::zeros(), Tensor::<shape![Batch, 3]>::ones());
    /// let step = trace(&(weights.clone(), rows.clone()), |(weights, rows)| {
    ///     let (loss, gradient) = value_and_grad(weights, |weights| (rows.dot(weights) - 1.0).square().mean());
    ///     (weights - gradient * 0.1, loss)
    /// });
    /// let engine = Engine::find_with(&Options::new().cpu_devices(4))?;
    /// let mut step = engine.compile_sharded_step(shard(step, Rules)?, &weights)?;
    /// assert_eq!(step.call(&rows)?.item(), 1.0);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    #[track_caller]
    pub fn compile_sharded_step<S, B, R>(
        &self,
        program: ShardedProgram<(S, B), (S, R)>,
        state: &S,
    ) -> Result<Step<S, B, R>, Error>
    where
        S: Module + Clone,
        B: Module,
        R: Module + Clone,
    {
        let attributes = program.attributes();
        self.compile_step_with(program.into_program(), attributes, state)
    }

    #[track_caller]
    fn compile_step_with<S, B, R>(
        &self,
        program: Program<(S, B), (S, R)>,
        attributes: Attributes,
        state: &S,
    ) -> Result<Step<S, B, R>, Error>
    where
        S: Module + Clone,
        B: Module,
        R: Module + Clone,
    {
        let attributes = program.donating(program.state_len(), attributes);
        let (executable, constants) = self.compiled(&program, &attributes)?;
        let mut step =
            Step { engine: self.clone(), program, executable, constants, state: Vec::new() };
        step.set_state(state)?;
        Ok(step)
    }

    /// The executable of a program, and its large constants, on the device.
    fn compiled<I, O>(
        &self,
        program: &Program<I, O>,
        attributes: &Attributes,
    ) -> Result<(Executable, Vec<Buffer>), Error> {
        let (text, constants) = match attributes.module.is_empty() {
            true => program.to_stablehlo_and_constants(attributes),
            // Each device of a mesh has all constants.
            false => (program.to_stablehlo_with(attributes), Vec::new()),
        };
        let executable = self.compile_or_load(&text, &named(program, &text, constants.len())?)?;
        let constants = buffers(self, &executable, program.inputs().len(), &constants)?;
        Ok((executable, constants))
    }
}

/// The signature of the text, with the names of the program, which has this number of large constants.
fn named<I, O>(program: &Program<I, O>, text: &str, constants: usize) -> Result<Signature, Error> {
    let constants: Vec<String> = (0..constants).map(|number| format!("constant{number}")).collect();
    let inputs = program.inputs().iter().map(|port| port.name());
    let inputs: Vec<&str> = inputs.chain(constants.iter().map(|name| &name[..])).collect();
    let outputs: Vec<&str> = program.outputs().iter().map(|port| port.name()).collect();
    Signature::of_text(text)?.with_names(&inputs, &outputs)
}

/// Copies elements to the device, as the inputs of an executable from the one with the number `first` on.
fn buffers(
    engine: &Engine,
    executable: &Executable,
    first: usize,
    bytes: &[Vec<u8>],
) -> Result<Vec<Buffer>, Error> {
    let inputs = &executable.signature().inputs()[first..];
    let copy = |(input, bytes): (&crate::Input, &Vec<u8>)| {
        Buffer::from_bytes(engine, input.tensor_type(), bytes)
    };
    inputs.iter().zip(bytes).map(copy).collect()
}

/// The elements of buffers.
fn bytes_of(buffers: &[Buffer]) -> Result<Vec<Vec<u8>>, Error> {
    buffers.iter().map(Buffer::to_bytes).collect()
}

impl<I: Module, O: Module + Clone> Compiled<I, O> {
    /// Runs the program on tensors of the host: copies all inputs to the device, and all outputs back.
    ///
    /// Where a large input is the same in many calls, such as the weights of a model that only computes, copying it takes
    /// longer than the program. Make it the state of a step that returns it as it is: the step keeps it on the device. A product
    /// with a matrix of 2048 × 2048 elements took 1.7 ms by such a step, and 18 ms by a call that copies the matrix.
    ///
    /// ```no_run
    /// use tensor_core::{Tensor, shape, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let (weights, x) = (Tensor::<shape![4096, 4096]>::ones(), Tensor::<shape![4096]>::ones());
    /// let program = trace(&(weights.clone(), x.clone()), |(weights, x)| (weights.clone(), x.dot(weights)));
    /// let mut product = Engine::find()?.compile_step(program, &weights)?;
    /// assert_eq!(product.call(&x)?, product.call(&x)?);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    ///
    /// The outputs have gradients, as those of [`Program::run`]; the kernels of `tensor-core` compute these, so a training
    /// step is best one program. Within a function that is traced, the steps become steps of its program.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if the inputs do not fit the program; [`Error::Plugin`] if the execution
    /// fails.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&tensor![0.0_f32, 0.0], |x| x.sum());
    /// let sum = Engine::find()?.compile_program(program)?;
    /// assert_eq!(sum.call(&tensor![1.0, 2.0])?.item(), 3.0);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn call(&self, inputs: &I) -> Result<O, Error> {
        self.program.run_by(inputs, |bytes| {
            let inputs = buffers(&self.engine, &self.executable, 0, &bytes)?;
            let inputs = inputs.iter().chain(&self.constants).map(Argument::Borrowed);
            bytes_of(&self.executable.launch(inputs)?)
        })
    }
}

impl<I, O> Compiled<I, O> {
    /// The program before it was compiled.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let exp = Engine::find()?.compile_program(trace(&tensor![0.0_f32, 0.0], |x| x.exp()))?;
    /// println!("{}", exp.program());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn program(&self) -> &Program<I, O> {
        &self.program
    }

    /// The compiled program without its types.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&tensor![0.0_f32, 0.0], |x| x.sum());
    /// println!("{}", Engine::find()?.compile_program(program)?.executable().signature());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn executable(&self) -> &Executable {
        &self.executable
    }
}

impl<S, B, R> Step<S, B, R> {
    /// The step before it was compiled.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&(tensor![0.0_f32], tensor![0.0_f32]), |(sum, x)| (sum + x, x.sum()));
    /// println!("{}", Engine::find()?.compile_step(program, &tensor![7.0])?.program());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn program(&self) -> &Program<(S, B), (S, R)> {
        &self.program
    }

    /// The state, for a step of the same state that was compiled for other batches.
    pub(crate) fn take_state(&mut self) -> Vec<Buffer> {
        core::mem::take(&mut self.state)
    }

    pub(crate) fn give_state(&mut self, state: Vec<Buffer>) {
        self.state = state;
    }

    /// The engine, and the buffers of the state.
    #[cfg(feature = "safetensors")]
    pub(crate) fn engine_and_state(&self) -> (&Engine, &[Buffer]) {
        (&self.engine, &self.state)
    }

    /// The compiled step without its types.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&(tensor![0.0_f32], tensor![0.0_f32]), |(sum, x)| (sum + x, x.sum()));
    /// let sums = Engine::find()?.compile_step(program, &tensor![7.0])?;
    /// println!("{:?}", sums.executable().operations()?);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn executable(&self) -> &Executable {
        &self.executable
    }
}

impl<S, B, R> Step<S, B, R>
where
    S: Module + Clone,
    B: Module,
    R: Module + Clone,
{
    /// Runs the step: the state on the device becomes the next one.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if the batch does not fit the program; then the state is unchanged. [`Error::Plugin`] if
    /// the execution fails; then the state, whose memory the step overwrites, is lost: a later call is an
    /// [`Error::Argument`], until [`set_state`](Self::set_state) gives the step another one.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&(tensor![0.0_f32], tensor![0.0_f32]), |(sum, x)| (sum + x, x.sum()));
    /// let mut sums = Engine::find()?.compile_step(program, &tensor![0.0])?;
    /// for x in [1.0, 2.0] {
    ///     sums.call(&tensor![x])?;
    /// }
    /// assert_eq!(sums.state()?, tensor![3.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn call(&mut self, batch: &B) -> Result<R, Error> {
        self.check_state()?;
        let bytes = self.program.batch_bytes(batch)?;
        let batch = buffers(&self.engine, &self.executable, self.state.len(), &bytes)?;
        let state = core::mem::take(&mut self.state);
        let constants = self.constants.iter().map(Argument::Borrowed);
        let arguments = state.into_iter().chain(batch).map(Argument::Donated).chain(constants);
        let (outputs, result) = self.run(arguments).map_err(|error| match error {
            Error::Plugin { function, code, message } => {
                Error::Plugin { function, code, message: format!("{message}; {LOST}") }
            }
            error => error,
        })?;
        self.state = outputs;
        Ok(self.program.result_of_bytes(&result))
    }

    /// The next state, and the elements of the result.
    fn run<'a>(
        &self,
        arguments: impl Iterator<Item = Argument<'a>>,
    ) -> Result<(Vec<Buffer>, Vec<Vec<u8>>), Error> {
        let has_result = self.program.outputs().len() > self.program.state_len();
        // Reading the result waits for the step, and has the error if that fails.
        let mut outputs = if has_result {
            self.executable.launch(arguments)?
        } else {
            self.executable.call(arguments)?
        };
        let result = outputs.split_off(self.program.state_len());
        Ok((outputs, bytes_of(&result)?))
    }

    pub(crate) fn check_state(&self) -> Result<(), Error> {
        let is_whole = self.state.len() == self.program.state_len();
        if is_whole { Ok(()) } else { Err(Error::Argument(LOST.to_owned())) }
    }

    /// Copies a state to the device, replacing the current one, for example with that of a
    /// checkpoint.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if the state does not fit the program; then the one that is there stays. [`Error::Plugin`] if
    /// copying fails.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&(tensor![0.0_f32], tensor![0.0_f32]), |(sum, x)| (sum + x, x.sum()));
    /// let mut sums = Engine::find()?.compile_step(program, &tensor![0.0])?;
    /// sums.set_state(&tensor![7.0])?;
    /// sums.call(&tensor![1.0])?;
    /// assert_eq!(sums.state()?, tensor![8.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn set_state(&mut self, state: &S) -> Result<(), Error> {
        let bytes = self.program.state_bytes(state)?;
        self.state = buffers(&self.engine, &self.executable, 0, &bytes)?;
        Ok(())
    }

    /// Copies the state to the host.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if copying fails; [`Error::Argument`] if the state was lost in a call that failed.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&(tensor![0.0_f32], tensor![0.0_f32]), |(sum, x)| (sum + x, x.sum()));
    /// let sums = Engine::find()?.compile_step(program, &tensor![7.0])?;
    /// assert_eq!(sums.state()?, tensor![7.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    #[doc(alias = "to_host")]
    pub fn state(&self) -> Result<S, Error> {
        self.check_state()?;
        Ok(self.program.state_of_bytes(&bytes_of(&self.state)?))
    }
}
