//! Softmax regression on handwritten digits, with every shape checked by the compiler.
//!
//! ```text
//! cargo run --release --example digits
//! ```
//!
//! The number of digits is known only from the file, so that axis is named and gets its size at run
//! time; everything else is static: 64 pixels, 10 digits. Change one of these numbers, for example
//! the 10 of `bias`, and the compiler names the two sizes that differ.

mod data;
mod show;
#[path = "../usage/mod.rs"]
mod usage;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use tensor_core::{Tensor, axis, select, shape};

use data::Digits;

axis!(
    /// The digits that are looked at together.
    pub Batch
);

/// One row of pixels for each digit.
type Images = Tensor<shape![Batch, 64]>;
/// The digit that each image shows.
type Labels = Tensor<shape![Batch], i64>;
/// One number for each image and each digit that it may show.
type Scores = Tensor<shape![Batch, 10]>;

/// The digits at the end of the file that the training does not see.
const HELD_OUT: usize = 497;
const STEPS: u64 = 300;
const LEARNING_RATE: f32 = 0.5;
const MOMENTUM: f32 = 0.9;
const WEIGHT_DECAY: f32 = 1e-3;

/// `scores = x · weight + bias`
struct SoftmaxRegression {
    weight: Tensor<shape![64, 10]>,
    bias: Tensor<shape![10]>,
}

impl SoftmaxRegression {
    fn zeros() -> Self {
        Self { weight: Tensor::zeros(), bias: Tensor::zeros() }
    }

    /// The bias has no batch axis: it stretches over it.
    fn scores(&self, images: &Images) -> Scores {
        images.dot(&self.weight) + &self.bias
    }

    /// The cross-entropy, and its gradient in the shape of the model.
    ///
    /// The gradient of the mean cross-entropy by the scores is `(softmax - one_hot) / n`; from there
    /// it goes back through the product and the broadcast sum.
    fn loss_and_gradient(&self, images: &Images, labels: &Labels) -> (f32, Self) {
        let is_label = one_hot(labels);
        let scores = self.scores(images);
        let chosen = select(&is_label, &scores.log_softmax::<-1>(), 0.0);
        let loss = -chosen.sum_axis::<-1>().mean();

        let probability = scores.softmax::<-1>();
        let by_scores = select(&is_label, &probability - 1.0, &probability) / labels.len() as f32;
        let weight = images.transpose().matmul(&by_scores) + &self.weight * WEIGHT_DECAY;
        let bias = by_scores.sum_axis::<0>();
        (loss.item(), Self { weight, bias })
    }

    /// Gradient descent with momentum.
    fn train(&mut self, images: &Images, labels: &Labels) -> (f32, f32) {
        let style = ProgressStyle::with_template("training {bar:40} {pos:>3}/{len} steps, {msg}");
        let bar = ProgressBar::new(STEPS).with_style(style.expect("a template that parses"));
        let mut velocity = Self::zeros();
        let mut first = None;
        let mut last = f32::NAN;
        for _ in 0..STEPS {
            let (loss, gradient) = self.loss_and_gradient(images, labels);
            velocity.weight = velocity.weight * MOMENTUM - gradient.weight * LEARNING_RATE;
            velocity.bias = velocity.bias * MOMENTUM - gradient.bias * LEARNING_RATE;
            self.weight += &velocity.weight;
            self.bias += &velocity.bias;
            bar.set_message(format!("loss {loss:.4}"));
            bar.inc(1);
            first.get_or_insert(loss);
            last = loss;
        }
        bar.finish_and_clear();
        (first.unwrap_or(f32::NAN), last)
    }
}

/// Which of the digits 0 to 9 the label is: a column of labels against a row of digits is a table.
fn one_hot(labels: &Labels) -> Tensor<shape![Batch, 10], bool> {
    let digits: Tensor<shape![10], i64> = Tensor::arange();
    labels.unsqueeze::<-1>().equal(&digits)
}

/// Normalises every pixel to mean 0 and standard deviation 1 over the training set.
struct Standardisation {
    mean: Tensor<shape![64]>,
    deviation: Tensor<shape![64]>,
}

impl Standardisation {
    fn of(images: &Images) -> Self {
        let deviation = images.std_axis::<0>();
        // A pixel that never changes has deviation 0 and stays 0 when divided by 1.
        let deviation = select(deviation.greater(0.0), &deviation, 1.0);
        Self { mean: images.mean_axis::<0>(), deviation }
    }

    fn apply(&self, images: &Images) -> Images {
        (images - &self.mean) / &self.deviation
    }
}

/// How often each digit (row) was read as each digit (column).
fn confusion(labels: &Labels, read: &Labels) -> Tensor<shape![10, 10]> {
    one_hot(labels).cast::<f32>().transpose().matmul(&one_hot(read).cast())
}

/// Trains, writes what was learnt, and gives the share of held-out digits that were read right.
pub fn run(file: &Path, out: &mut impl Write) -> Result<f32, Box<dyn std::error::Error>> {
    let all = Digits::read(file)?;
    let split = all.split_at_the_end(HELD_OUT);
    let (train, test) = split.map_err(|problem| format!("{}: {problem}", file.display()))?;
    writeln!(out, "{} digits to train, {} held out", train.labels.len(), test.labels.len())?;

    let standardisation = Standardisation::of(&train.images);
    let mut model = SoftmaxRegression::zeros();
    let (first, last) = model.train(&standardisation.apply(&train.images), &train.labels);
    writeln!(out, "cross-entropy {first:.4} before training, {last:.4} after {STEPS} steps\n")?;

    let scores = model.scores(&standardisation.apply(&test.images));
    let read = scores.argmax_axis::<-1>();
    let right = read.equal(&test.labels);
    let accuracy = right.cast::<f32>().mean().item();
    writeln!(out, "{:.1} % of the held-out digits read right\n", 100.0 * accuracy)?;

    writeln!(out, "{}", show::confusion_matrix(&confusion(&test.labels, &read)))?;
    writeln!(out, "{}", show::mistakes(&test, &scores.softmax::<-1>(), &read))?;
    out.flush()?;
    Ok(accuracy)
}

fn main() -> ExitCode {
    if let Some(usage) = usage::requested(include_str!("main.rs")) {
        print!("{usage}");
        return ExitCode::SUCCESS;
    }
    let file = std::env::args_os().nth(1).map_or_else(Digits::bundled_file, PathBuf::from);
    match run(&file, &mut io::stdout()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            // A full disk, or a pipe that `head` has closed; `eprintln!` would panic on another one.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
