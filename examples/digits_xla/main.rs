//! A training step as a program: traced once, and run by this crate's kernels and by XLA, the compiler of JAX.
//!
//! ```text
//! cargo run --release --example digits_xla
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
use tensor_core::trace::{Program, try_trace};
use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::Linear;
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{AdamW, Optimizer};
use tensor_xla::Engine;

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

    /// An ordinary function: it can be called, and it can be traced.
    fn step(&self, (images, labels): &Examples) -> Result<(Self, Loss), Box<dyn Error>> {
        let mut next = self.clone();
        let (loss, gradient) =
            try_value_and_grad(&self.model, |model| cross_entropy(&model.scores(images), labels))?;
        next.optimizer.step(&mut next.model, &gradient)?;
        Ok((next, loss))
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

/// Trains with a function that takes a step and returns its loss, and prints the time of a step.
fn train(
    name: &str,
    out: &mut impl Write,
    mut step: impl FnMut() -> Result<Loss, Box<dyn Error>>,
) -> Result<Vec<f32>, Box<dyn Error>> {
    let start = Instant::now();
    let mut losses = Vec::new();
    for _ in 0..STEPS {
        losses.push(step()?.item());
    }
    let each = start.elapsed() / STEPS as u32;
    writeln!(
        out,
        "{name:8} {:>9.2?} a step, cross-entropy {:.4} to {:.4}",
        each,
        losses[0],
        losses[STEPS - 1]
    )?;
    Ok(losses)
}

/// Trains with the kernels, and with XLA if there is a plugin.
pub fn run(file: &Path, out: &mut impl Write) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let split = Digits::read(file)?.split_at_the_end(HELD_OUT);
    let (digits, test) = split.map_err(|problem| format!("{}: {problem}", file.display()))?;
    let examples: Examples = (digits.images.clone(), digits.labels.clone());

    let program: Program<(Training, Examples), (Training, Loss)> =
        try_trace(&(Training::new(), examples.clone()), |(training, examples)| {
            training.step(examples)
        })?;
    writeln!(out, "a training step is a program of {} steps", program.num_steps())?;

    let mut training = Training::new();
    let losses = train("kernels", out, || {
        let (next, loss) = program.run(&(training.clone(), examples.clone()))?;
        training = next;
        Ok(loss)
    })?;
    let mut outcomes = vec![Outcome { losses, accuracy: training.accuracy(&test) }];

    match Engine::find() {
        Ok(engine) => {
            let start = Instant::now();
            let mut on_device = engine.compile_step(program, &Training::new())?;
            writeln!(
                out,
                "XLA on {} has compiled it in {:.2?}",
                engine.platform(),
                start.elapsed()
            )?;
            let losses = train("xla", out, || Ok(on_device.call(&examples)?))?;
            outcomes.push(Outcome { losses, accuracy: on_device.state()?.accuracy(&test) });
        }
        Err(error) => writeln!(out, "{error}")?,
    }
    for (name, outcome) in ["kernels", "xla"].iter().zip(&outcomes) {
        writeln!(
            out,
            "{name:8} {:.1} % of the held-out digits read right",
            100.0 * outcome.accuracy
        )?;
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
