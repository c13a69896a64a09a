//! Handwritten digits become eight numbers each, and digits again: an autoencoder.
//!
//! ```text
//! cargo run --release -p autoencoder
//! cargo run --release -p autoencoder -- --steps 500      a part of it
//! cargo run --release -p autoencoder -- --load target/autoencoder/checkpoint.safetensors
//! cargo run --release -p autoencoder -- --engine xla     a step compiled by XLA
//! ```
//!
//! It draws `target/autoencoder/digits.svg`: digits that it has never seen, and below each what the eight
//! numbers have kept of it. Principal components, the best that eight numbers can do by straight lines,
//! are the model to beat. Change the 8 of `Code`, and every shape follows.

#[path = "../digits/data.rs"]
mod data;
#[path = "../training/mod.rs"]
pub(crate) mod training;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use tensor_core::autograd::value_and_grad;
use tensor_core::random::Generator;
use tensor_core::{Axis, Padding, Tensor, axis, dim, rearrange, shape};
use tensor_nn::Module;
use tensor_nn::data::Loader;
use tensor_nn::layers::Linear;
use tensor_nn::losses::mse;
use tensor_nn::optim::{AdamW, Cosine, Optimizer, Schedule, WarmUp};
use tensor_xla::try_jit_step;

use data::{Digits, INK};
use training::{Loss, Options, Watch, engine};

axis!(
    /// The digits that are looked at together.
    pub Batch
);
axis!(
    /// The numbers that are kept of a digit.
    pub Code = 8
);

/// One row of pixels for each digit.
pub type Images = Tensor<shape![Batch, 64]>;
/// The digit that each image shows, which nothing here looks at.
pub type Labels = Tensor<shape![Batch], i64>;

/// The batch of a step, and its learning rate.
type Examples = (Images, Tensor<shape![], f64>);

/// The digits at the end of the file that the training does not see.
const HELD_OUT: usize = 497;
/// How many batches the training takes.
pub const STEPS: usize = 6000;
const BATCH: usize = 64;
const SEED: u64 = 42;
const RATE: WarmUp<Cosine> =
    WarmUp { steps: 100, then: Cosine { rate: 3e-3, end: 1e-5, steps: STEPS - 100 } };

/// Two layers to the code, two back.
#[derive(Clone, Debug, Module)]
pub(crate) struct Autoencoder {
    look: Linear<dim!(64), dim!(128)>,
    encode: Linear<dim!(128), Code>,
    decode: Linear<Code, dim!(128)>,
    draw: Linear<dim!(128), dim!(64)>,
}

impl Autoencoder {
    pub(crate) fn new(rng: &mut Generator) -> Self {
        Self {
            look: Linear::new(rng),
            encode: Linear::new(rng),
            decode: Linear::new(rng),
            draw: Linear::new(rng),
        }
    }

    fn code(&self, images: &Images) -> Tensor<shape![Batch, Code]> {
        self.encode.forward(&self.look.forward(images).gelu_tanh())
    }

    /// Ink from 0 to 1.
    fn images(&self, code: &Tensor<shape![Batch, Code]>) -> Images {
        self.draw.forward(&self.decode.forward(code).gelu_tanh()).sigmoid()
    }

    /// The images, reconstructed from their codes.
    pub(crate) fn forward(&self, images: &Images) -> Images {
        self.images(&self.code(images))
    }
}

/// The mean image, and the directions in which images differ most.
struct PrincipalComponents {
    mean: Tensor<shape![64]>,
    directions: Tensor<shape![Code, 64]>,
}

impl PrincipalComponents {
    fn of(images: &Images) -> Self {
        let mean = images.mean_axis::<0>();
        let centred = images - &mean;
        let mut covariance: Tensor<shape![64, 64]> = centred.transpose().matmul(&centred);
        let direction = |_| {
            // A vector that is multiplied often enough turns to the largest of the directions left.
            let mut direction: Tensor<shape![64]> = Tensor::ones();
            for _ in 0..500 {
                direction = covariance.dot(&direction);
                direction = &direction / direction.norm();
            }
            let variance = direction.dot(&covariance.dot(&direction));
            covariance -= direction.outer(&direction) * variance;
            direction
        };
        let directions: Vec<Tensor<shape![64]>> = (0..Code.size()).map(direction).collect();
        Self { mean, directions: Tensor::stack_all::<0, Code>(&directions) }
    }

    /// The images, reconstructed from their coordinates along the directions.
    fn forward(&self, images: &Images) -> Images {
        let code: Tensor<shape![Batch, Code]> =
            (images - &self.mean).dot(&self.directions.transpose());
        code.dot(&self.directions) + &self.mean
    }
}

/// All that a checkpoint holds: a program that loads it goes on as if it had never stopped.
#[derive(Clone, Module)]
struct Training {
    model: Autoencoder,
    optimizer: Optimizer,
    /// How many steps are done.
    step: Tensor<shape![], i64>,
}

impl Training {
    fn new() -> Self {
        let model = Autoencoder::new(&mut Generator::seed(SEED));
        let rule = AdamW { decay: 0.02, ..AdamW::default() };
        let optimizer = Optimizer::new(rule, 0.0).with_state_of(&model);
        Self { model, optimizer, step: Tensor::scalar(0) }
    }

    fn steps_done(&self) -> usize {
        self.step.item() as usize
    }

    /// One step against the gradient of the loss, which has the type of the model.
    fn step(&mut self, (images, rate): &Examples) -> Result<Loss, Box<dyn Error>> {
        let (loss, gradient) =
            value_and_grad(&self.model, |model| mse(&model.forward(images), images));
        self.optimizer.set_rate_tensor(rate);
        self.optimizer.step(&mut self.model, &gradient)?;
        self.step += 1;
        Ok(loss)
    }
}

/// Two rows of ten digits, each above what is left of it, as black ink on white.
fn picture(originals: &Images, copies: &Images) -> String {
    let both: Tensor<shape![2, Batch, 64]> = Tensor::stack::<0, 2>([originals, copies]);
    let first: Tensor<shape![2, 20, 64]> = both.slice_axis::<1, dim!(20)>(..20);
    let squares: Tensor<shape![2, 20, 8, 8]> = first.unflatten::<-1, shape![8, 8]>();
    let apart = squares.pad::<shape![1, 1], shape![1, 1]>(Padding::Constant(0.0));
    let page: Tensor<shape![40, 100]> = rearrange!(k (r n) h w -> (r k h) (n w); apart, r = 2);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 40\" width=\"600\">\n\
         <rect width=\"100\" height=\"40\" fill=\"white\"/>\n",
    );
    for (position, ink) in page.clamp(0.0, 1.0).iter().enumerate().filter(|(_, ink)| **ink > 0.0) {
        let (x, y) = (position % 100, position / 100);
        svg +=
            &format!("<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" opacity=\"{ink:.2}\"/>\n");
    }
    svg + "</svg>\n"
}

/// The results of a training: losses, which are mean squared errors of the ink of a pixel, from 0
/// to 1.
pub struct Outcome {
    /// The loss of each step of this run.
    pub losses: Vec<f32>,
    /// The loss of the autoencoder on digits that were held out.
    pub held_out: f32,
    /// The loss of principal components on the same digits.
    pub components: f32,
}

/// Trains, saves, compares with principal components, and draws.
pub fn run(options: &Options, out: &mut impl Write) -> Result<Outcome, Box<dyn Error>> {
    let file = options.data.clone().unwrap_or_else(Digits::bundled_file);
    let split = Digits::read(&file)?.split_at_the_end(HELD_OUT);
    let (train, test) = split.map_err(|problem| format!("{}: {problem}", file.display()))?;
    let [train, test] = [train, test].map(|digits| digits.images / f32::from(INK));
    let mut training = Training::new();
    options.load(&mut training)?;
    writeln!(out, "{}\n", training.model.summary())?;
    writeln!(out, "{} digits to train, {HELD_OUT} held out", train.sizes()[0])?;

    let first = training.steps_done();
    let loader = Loader::new(train.clone(), BATCH.min(train.sizes()[0])).drop_last().shuffled(SEED);
    let an_epoch = loader.num_batches();
    let epochs = (first / an_epoch..).flat_map(|epoch| loader.epoch::<Batch>(epoch));
    let mut watch = Watch::new(options, first);
    let mut training = try_jit_step(engine(options)?.as_ref(), training, Training::step);
    for (step, images) in (first..options.steps).zip(epochs.skip(first % an_epoch)) {
        let loss = training.call(&(images, Tensor::scalar(RATE.rate(step))))?;
        if !watch.goes_on(loss.item()) {
            break;
        }
    }
    let training = training.state()?;
    options.save(&training)?;
    let losses = watch.finish(out)?;
    writeln!(out, "checkpoint: {}\n", options.save.display())?;

    let mean = train.mean_axis::<0>();
    let of_mean = (&test - &mean).square().mean().item();
    let components = mse(&PrincipalComponents::of(&train).forward(&test), &test).item();
    let copies = training.model.forward(&test);
    let held_out = mse(&copies, &test).item();
    writeln!(
        out,
        "mean squared error on held-out digits, and the share of the variance that is kept"
    )?;
    let rows = [
        ("the mean image", of_mean),
        ("8 principal components", components),
        ("8 numbers of the autoencoder", held_out),
    ];
    for (name, error) in rows {
        writeln!(out, "{name:30} {error:.4}  {:5.1} %", 100.0 * (1.0 - error / of_mean))?;
    }
    let file = options.picture("digits.svg")?;
    std::fs::write(&file, picture(&test, &copies))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    writeln!(out, "\noriginals and what is left of them: {}", file.display())?;
    out.flush()?;
    Ok(Outcome { losses, held_out, components })
}

fn main() -> ExitCode {
    training::main("autoencoder", STEPS, run)
}
