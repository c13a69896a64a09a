//! A convolutional network reads handwritten digits. Every shape on the way is checked by the compiler.
//!
//! ```text
//! cargo run --release -p digits_cnn
//! cargo run --release -p digits_cnn -- --steps 1500      a part of it
//! cargo run --release -p digits_cnn -- --load target/digits_cnn/checkpoint.safetensors
//! cargo run --release -p digits_cnn -- --engine xla      a step compiled by XLA
//! ```
//!
//! An image is 8 by 8 pixels. Two convolutions look at windows of 3 by 3, the larger of each four
//! results is kept, and two linear layers decide. How many images there are is known when the program
//! runs, so that axis is named; all other sizes are types. Change the 512 of `hidden` in `reader.rs`, and the compiler
//! says what it should be.

#[path = "../digits/data.rs"]
mod data;
mod reader;
#[path = "../training/mod.rs"]
pub(crate) mod training;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use tensor_core::autograd::try_value_and_grad;
use tensor_core::random::Generator;
use tensor_core::{IndexError, Padding, Tensor, shape, slice};
use tensor_nn::Module;
use tensor_nn::data::Loader;
use tensor_nn::layers::Pass;
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{AdamW, Cosine, Optimizer, Schedule, WarmUp};
use tensor_xla::try_jit_step;

use data::{Digits, INK};
pub use reader::{Batch, Images};
pub(crate) use reader::{Reader, images};
use training::{Loss, Options, Watch, engine};

/// The digit that each image shows.
pub type Labels = Tensor<shape![Batch], i64>;
/// The batch of a step, and its learning rate.
type Examples = (Images, Labels, Tensor<shape![], f64>);
/// The digits at the end of the file that the training does not see.
const HELD_OUT: usize = 497;
/// How many batches the training takes.
pub const STEPS: usize = 6000;
const BATCH: usize = 64;
const SEED: u64 = 42;
/// It rises in the first steps, and falls to nearly nothing.
const RATE: WarmUp<Cosine> =
    WarmUp { steps: 20, then: Cosine { rate: 2e-3, end: 1e-5, steps: STEPS - 20 } };

/// Each digit nine times: moved by at most one pixel in each direction, it is the same digit.
fn moved(digits: &Digits) -> (Images, Labels) {
    let squares = digits.images.unflatten::<-1, shape![8, 8]>();
    let wide = squares.pad::<shape![1, 1], shape![1, 1]>(Padding::Constant(0.0));
    let moves = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
    let images: Vec<Images> = moves
        .map(|(down, right)| wide.roll::<-2>(down).roll::<-1>(right))
        .map(|moved| moved.slice(slice![.., 1..9, 1..9]).flatten_axes::<-2, -1>())
        .collect();
    let labels = vec![digits.labels.clone(); images.len()];
    (Tensor::concat_all::<0, Batch>(&images), Tensor::concat_all::<0, Batch>(&labels))
}

/// All that a checkpoint holds: a program that loads it goes on as if it had never stopped.
#[derive(Clone, Module)]
struct Training {
    model: Reader,
    optimizer: Optimizer,
    /// How many steps are done.
    step: Tensor<shape![], i64>,
}

impl Training {
    fn new() -> Self {
        let model = Reader::new(&mut Generator::seed(SEED));
        let rule = AdamW { decay: 0.05, ..AdamW::default() };
        let optimizer = Optimizer::new(rule, 0.0).with_state_of(&model);
        Self { model, optimizer, step: Tensor::scalar(0) }
    }

    fn steps_done(&self) -> usize {
        self.step.item() as usize
    }

    /// One step against the gradient of the loss, which has the type of the model.
    fn step(&mut self, (rows, labels, rate): &Examples) -> Result<Loss, Box<dyn Error>> {
        let images = images(rows);
        // Random numbers follow from the step, so that they are the same where a program goes on.
        let mut pass = Pass::training_at(SEED, &self.step);
        let (loss, gradient) = try_value_and_grad(&self.model, |model| {
            cross_entropy(&model.scores(&images, &mut pass), labels)
        })?;
        self.optimizer.set_rate_tensor(rate);
        self.optimizer.step(&mut self.model, &gradient)?;
        self.step += 1;
        Ok(loss)
    }
}

/// How the model does on digits: the mean cross-entropy, and the share that it reads right.
fn evaluate(model: &Reader, digits: &Digits) -> Result<(f32, f32), IndexError> {
    let scores = model.scores(&images(&digits.images), &mut Pass::eval());
    let right = scores.argmax_axis::<-1>().equal(&digits.labels);
    let loss = cross_entropy(&scores, &digits.labels)?;
    Ok((loss.item(), right.cast::<f32>().mean().item()))
}

/// The results of a training.
pub struct Outcome {
    /// The loss of each step of this run.
    pub losses: Vec<f32>,
    /// The share of held-out digits that are read right.
    pub accuracy: f32,
}

/// Trains, saves, and prints the accuracy on the held-out digits.
pub fn run(options: &Options, out: &mut impl Write) -> Result<Outcome, Box<dyn Error>> {
    let file = options.data.clone().unwrap_or_else(Digits::bundled_file);
    let split = Digits::read(&file)?.split_at_the_end(HELD_OUT);
    let (train, test) = split.map_err(|problem| format!("{}: {problem}", file.display()))?;
    let mut training = Training::new();
    options.load(&mut training)?;
    writeln!(out, "{}\n", training.model.summary())?;
    writeln!(out, "{} digits to train, {} held out", train.labels.len(), test.labels.len())?;

    let first = training.steps_done();
    let examples = moved(&train);
    let batch = BATCH.min(examples.1.len());
    let loader = Loader::new(examples, batch).drop_last().shuffled(SEED).prefetched(2);
    let an_epoch = loader.num_batches();
    let epochs = (first / an_epoch..).flat_map(|epoch| loader.epoch::<Batch>(epoch));
    let mut watch = Watch::new(options, first);
    let mut training = try_jit_step(engine(options)?.as_ref(), training, Training::step);
    for (step, (rows, labels)) in (first..options.steps).zip(epochs.skip(first % an_epoch)) {
        let loss = training.call(&(rows, labels, Tensor::scalar(RATE.rate(step))))?;
        if !watch.goes_on(loss.item()) {
            break;
        }
    }
    let training = training.state()?;
    options.save(&training)?;
    let losses = watch.finish(out)?;
    writeln!(out, "checkpoint: {}\n", options.save.display())?;

    for (name, digits) in [("training", &train), ("held-out", &test)] {
        let (loss, accuracy) = evaluate(&training.model, digits)?;
        let percent = 100.0 * accuracy;
        writeln!(out, "{name} digits: {percent:.2} % read right, cross-entropy {loss:.4}")?;
    }
    let (_, accuracy) = evaluate(&training.model, &test)?;
    out.flush()?;
    Ok(Outcome { losses, accuracy })
}

fn main() -> ExitCode {
    training::main("digits_cnn", STEPS, run)
}
