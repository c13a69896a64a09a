//! A training step that XLA, the compiler of JAX, compiles at its first call, beside the same step by this crate's kernels.
//!
//! ```text
//! cargo run --release -p digits_xla
//! ```
//!
//! XLA comes as a plugin, one shared library. Without one, the program prints the command that installs it, and
//! trains with the kernels alone, and fails. For a GPU or TPU, set `TENSOR_XLA_PLUGIN` to its plugin; nothing else changes.

#[path = "../digits/data.rs"]
mod data;

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use tensor_core::autograd::try_value_and_grad;
use tensor_core::random::Generator;
use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::Linear;
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{AdamW, Optimizer};
use tensor_xla::{Engine, try_jit_step};

use data::{Digits, INK};

axis!(
    /// The digits that are looked at together.
    pub Batch
);

/// One row of pixels for each digit.
type Images = Tensor<shape![Batch, 64]>;
/// The digit that each image shows.
type Labels = Tensor<shape![Batch], i64>;
/// The batch of a step.
type Examples = (Images, Labels);
/// The mean cross-entropy of a step.
type Loss = Tensor<shape![]>;

/// The digits at the end of the file that the training does not see.
const HELD_OUT: usize = 497;
const STEPS: usize = 100;

/// The network. Change one of the two 64 of the hidden axis, and the compiler names both.
#[derive(Clone, Debug, Module)]
struct Reader {
    hidden: Linear<dim!(64), dim!(64)>,
    scores: Linear<dim!(64), dim!(10)>,
}

impl Reader {
    fn scores(&self, images: &Images) -> Tensor<shape![Batch, 10]> {
        let ink = images / f32::from(INK);
        self.scores.forward(&self.hidden.forward(&ink).relu())
    }
}

/// The state that a step replaces: the parameters, and the optimiser's state of each.
#[derive(Clone, Debug, Module)]
struct Training {
    model: Reader,
    optimizer: Optimizer,
}

impl Training {
    fn new() -> Self {
        let mut rng = Generator::seed(42);
        let model = Reader { hidden: Linear::new(&mut rng), scores: Linear::new(&mut rng) };
        let optimizer = Optimizer::new(AdamW::default(), 1e-2).with_state_of(&model);
        Self { model, optimizer }
    }

    /// An ordinary function: it can be called, and it can be compiled.
    fn step(&mut self, (images, labels): &Examples) -> Result<Loss, Box<dyn Error>> {
        let (loss, gradient) =
            try_value_and_grad(&self.model, |model| cross_entropy(&model.scores(images), labels))?;
        self.optimizer.step(&mut self.model, &gradient)?;
        Ok(loss)
    }

    /// The share of digits that are read right.
    fn accuracy(&self, digits: &Digits) -> f32 {
        let read = self.model.scores(&digits.images).argmax_axis::<-1>();
        read.equal(&digits.labels).cast::<f32>().mean().item()
    }
}

/// The results of a training.
pub struct Outcome {
    /// The loss of each step.
    pub losses: Vec<f32>,
    /// The share of held-out digits that are read right.
    pub accuracy: f32,
}

/// Trains by the kernels, or by an engine, and prints the time of a step.
fn train(
    engine: Option<&Engine>,
    digits: &Digits,
    test: &Digits,
    out: &mut impl Write,
) -> Result<Outcome, Box<dyn Error>> {
    let examples: Examples = (digits.images.clone(), digits.labels.clone());
    let mut training = try_jit_step(engine, Training::new(), Training::step);
    let mut losses = Vec::new();
    let mut start = Instant::now();
    for step in 0..STEPS {
        losses.push(training.call(&examples)?.item());
        if step == 0 {
            let first = start.elapsed();
            let name = engine
                .map_or("kernels".to_owned(), |engine| format!("XLA on {}", engine.platform()));
            write!(out, "{name:10} {first:>9.2?} the first step")?;
            start = Instant::now();
        }
    }
    let each = start.elapsed() / (STEPS - 1) as u32;
    let accuracy = training.state()?.accuracy(test);
    writeln!(
        out,
        ", {each:>9.2?} each other, cross-entropy {:.4} to {:.4}, {:.1} % of the held-out digits read right",
        losses[0],
        losses[STEPS - 1],
        100.0 * accuracy
    )?;
    Ok(Outcome { losses, accuracy })
}

/// Trains with the kernels, and with XLA if there is a plugin.
pub fn run(file: &Path, out: &mut impl Write) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let split = Digits::read(file)?.split_at_the_end(HELD_OUT);
    let (digits, test) = split.map_err(|problem| format!("{}: {problem}", file.display()))?;
    let mut outcomes = vec![train(None, &digits, &test, out)?];
    match Engine::find() {
        Ok(engine) => outcomes.push(train(Some(&engine), &digits, &test, out)?),
        Err(error) => writeln!(out, "{error}")?,
    }
    Ok(outcomes)
}

fn main() -> ExitCode {
    match run(&Digits::bundled_file(), &mut io::stdout()) {
        Ok(outcomes) if outcomes.len() == 2 => ExitCode::SUCCESS,
        // XLA was not there: the message is printed.
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            // A pipe that `head` has closed; `eprintln!` would panic on another one.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
