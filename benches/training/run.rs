//! Training a network on batches from a file.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use tensor_core::autograd::try_value_and_grad;
use tensor_core::io::Checkpoint;
use tensor_core::random::Generator;
use tensor_core::{IndexError, Tensor, shape};
use tensor_nn::Module;
use tensor_nn::optim::{Optimizer, clip_norm};

use crate::measure::clock;

/// A network that is compared.
pub trait Network: Module + Clone {
    /// The name of its files.
    const NAME: &'static str;
    /// The length to which a gradient is shortened.
    const CLIP: Option<f64> = None;
    type Inputs: Module + Clone;
    type Targets: Module + Clone;

    fn new(rng: &mut Generator) -> Self;

    fn optimizer() -> Optimizer;

    /// All batches of a file.
    fn read(file: &Checkpoint) -> Result<Batches<Self::Inputs, Self::Targets>, Box<dyn Error>>;

    fn loss(
        &self,
        inputs: &Self::Inputs,
        targets: &Self::Targets,
    ) -> Result<Tensor<shape![]>, IndexError>;
}

pub type Batches<Inputs, Targets> = Vec<(Inputs, Targets)>;

/// A network that is trained on its batches again and again.
pub struct Run<N: Network> {
    pub first: N,
    model: N,
    optimizer: Optimizer,
    pub batches: Batches<N::Inputs, N::Targets>,
    pub step: usize,
}

/// A [`Run`] of any network.
pub trait Trains {
    /// The losses of the first steps, from the initial weights on.
    fn losses(&mut self, steps: usize) -> Result<Vec<f32>, Box<dyn Error>>;

    /// One more step, and its loss.
    fn train(&mut self) -> Result<f32, Box<dyn Error>>;

    /// The time of more steps.
    fn time_of_steps(&mut self, steps: usize) -> Result<Duration, Box<dyn Error>> {
        let start = clock::now();
        for _ in 0..steps {
            black_box(self.train()?);
        }
        Ok(clock::since(start))
    }

    /// The time of losses with their gradients, which change nothing.
    fn time_of_gradients(&mut self, steps: usize) -> Result<Duration, Box<dyn Error>>;

    /// The time that compiling a step has taken.
    fn compile_time(&self) -> Duration {
        Duration::ZERO
    }
}

impl<N: Network> Run<N> {
    /// Reads the batches, and writes the initial weights for others to begin with.
    pub fn prepare(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let batches = N::read(&Checkpoint::open(batches_in(folder, N::NAME))?)?;
        let first = N::new(&mut Generator::seed(42));
        first.save(folder.join(format!("{}.safetensors", N::NAME)))?;
        Ok(Self { model: first.clone(), first, optimizer: N::optimizer(), batches, step: 0 })
    }

    fn value_and_grad(&self) -> Result<(Tensor<shape![]>, N), IndexError> {
        let (inputs, targets) = &self.batches[self.step % self.batches.len()];
        try_value_and_grad(&self.model, |model| model.loss(inputs, targets))
    }
}

/// One step against the gradient of the loss.
pub fn step<N: Network>(
    model: &mut N,
    optimizer: &mut Optimizer,
    (inputs, targets): &(N::Inputs, N::Targets),
) -> Result<Tensor<shape![]>, Box<dyn Error>> {
    let (loss, mut gradient) = try_value_and_grad(&*model, |model| model.loss(inputs, targets))?;
    if let Some(max) = N::CLIP {
        clip_norm(&mut gradient, max);
    }
    optimizer.step(model, &gradient)?;
    Ok(loss)
}

fn batches_in(folder: &Path, name: &str) -> std::path::PathBuf {
    folder.join(format!("{name}.batches.safetensors"))
}

impl<N: Network> Trains for Run<N> {
    fn losses(&mut self, steps: usize) -> Result<Vec<f32>, Box<dyn Error>> {
        (self.model, self.optimizer, self.step) = (self.first.clone(), N::optimizer(), 0);
        (0..steps).map(|_| self.train()).collect()
    }

    fn train(&mut self) -> Result<f32, Box<dyn Error>> {
        let batch = &self.batches[self.step % self.batches.len()];
        let loss = step(&mut self.model, &mut self.optimizer, batch)?;
        self.step += 1;
        Ok(loss.item())
    }

    fn time_of_gradients(&mut self, steps: usize) -> Result<Duration, Box<dyn Error>> {
        let start = clock::now();
        for _ in 0..steps {
            black_box(&self.value_and_grad()?);
        }
        Ok(clock::since(start))
    }
}
