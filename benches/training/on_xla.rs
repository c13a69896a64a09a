//! Training a network by a step that XLA has compiled.

use std::error::Error;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tensor_core::trace::{trace, try_trace};
use tensor_core::{Tensor, shape, tensor};
use tensor_nn::optim::Optimizer;
use tensor_xla::{Argument, Buffer, Engine, Signature, Step};

use crate::run::{self, Network, Run, Trains};

/// A [`Run`] whose steps XLA computes.
pub struct OnXla<N: Network> {
    run: Run<N>,
    compiled: Compiled<N>,
    compile_time: Duration,
}

type Compiled<N> =
    Step<(N, Optimizer), (<N as Network>::Inputs, <N as Network>::Targets), Tensor<shape![]>>;

impl<N: Network> OnXla<N> {
    pub fn new(run: Run<N>) -> Result<Self, Box<dyn Error>> {
        let (compiled, compile_time) = compiled(&run)?;
        Ok(Self { run, compiled, compile_time })
    }
}

/// A step from the initial weights on, and the time that tracing and compiling it takes.
fn compiled<N: Network>(run: &Run<N>) -> Result<(Compiled<N>, Duration), Box<dyn Error>> {
    let start = Instant::now();
    let state = (run.first.clone(), N::optimizer().with_state_of(&run.first));
    let inputs = (state.clone(), run.batches[0].clone());
    let step = try_trace(&inputs, |((model, optimizer), batch)| {
        let (mut model, mut optimizer) = (model.clone(), optimizer.clone());
        let loss = run::step(&mut model, &mut optimizer, batch)?;
        Ok::<_, Box<dyn Error>>(((model, optimizer), loss))
    })?;
    Ok((engine()?.compile_step(step, &state)?, start.elapsed()))
}

/// The engine of all networks: one for a GPU takes most of its memory.
fn engine() -> Result<&'static Engine, tensor_xla::Error> {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    if let Some(engine) = ENGINE.get() {
        return Ok(engine);
    }
    let engine = Engine::find()?;
    Ok(ENGINE.get_or_init(|| engine))
}

impl<N: Network> Trains for OnXla<N> {
    fn losses(&mut self, steps: usize) -> Result<Vec<f32>, Box<dyn Error>> {
        (self.compiled, self.compile_time) = compiled(&self.run)?;
        self.run.step = 0;
        (0..steps).map(|_| self.train()).collect()
    }

    fn train(&mut self) -> Result<f32, Box<dyn Error>> {
        let batch = &self.run.batches[self.run.step % self.run.batches.len()];
        self.run.step += 1;
        Ok(self.compiled.call(batch)?.item())
    }

    fn time_of_gradients(&mut self, _: usize) -> Result<Duration, Box<dyn Error>> {
        Err("gradients alone are not measured on XLA".into())
    }

    fn compile_time(&self) -> Duration {
        self.compile_time
    }
}

/// The mean time of this number of steps that do next to nothing: a batch of four numbers is copied to the device, and a
/// loss back.
pub fn overhead_of_steps(steps: usize) -> Result<Duration, Box<dyn Error>> {
    let x = tensor![1.0_f32, 2.0, 3.0, 4.0];
    let program = trace(&(x.clone(), x.clone()), |(sum, x)| (sum + x, x.sum()));
    let mut step = engine()?.compile_step(program, &x)?;
    step.call(&x)?;
    let start = Instant::now();
    for _ in 0..steps {
        step.call(&x)?;
    }
    Ok(start.elapsed() / steps as u32)
}

/// The mean time of this number of calls of a program that does next to nothing, on an input that is on the device.
pub fn overhead(calls: usize) -> Result<Duration, Box<dyn Error>> {
    let engine = engine()?;
    let text =
        "func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
        %0 = stablehlo.negate %x : tensor<4xf32>
        return %0 : tensor<4xf32>
    }";
    let negate = engine.compile(text, &Signature::of_text(text)?)?;
    let tensor_type = negate.signature().inputs()[0].tensor_type();
    let mut x = Buffer::from_slice(engine, tensor_type, &[1.0_f32, 2.0, 3.0, 4.0])?;
    let start = Instant::now();
    for _ in 0..calls {
        x = negate.call([Argument::from(x)])?.remove(0);
    }
    Ok(start.elapsed() / calls as u32)
}
