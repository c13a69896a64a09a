//! Models that are generic over all of their sizes: a ResNet and an encoder as BERT's.
//!
//! ```text
//! cargo run --release -p generic_models
//! ```
//!
//! The compiler checks each model once, for all sizes; a program then chooses them. One ResNet takes a
//! single image, a batch, or several views of each image of a batch. Write `Same2d` for `Shortcut` in the
//! shortcut of `resnet.rs`, and the compiler names the axes that do not fit.

mod encoder;
mod resnet;

use std::error::Error;
use std::io::Write;

use tensor_core::autograd::try_value_and_grad;
use tensor_core::random::Generator;
use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::layers::Pass;
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{Adam, Optimizer};

use encoder::{Encoder, PADDING};
use resnet::ResNet;

axis!(
    /// Images or sentences that are processed together.
    Batch
);
axis!(
    /// The tokens of a sentence.
    Time
);

const SEED: u64 = 42;
const STEPS: usize = 20;

/// A network for 3 colours and 10 classes.
type SmallResNet = ResNet<dim!(3), dim!(8), dim!(16), dim!(32), dim!(10)>;
/// 1000 tokens, at most 32 in a sentence; 4 heads of 16 channels fill the width of 64; 2 layers.
type SmallEncoder = Encoder<dim!(1000), dim!(32), dim!(64), dim!(4), dim!(16), dim!(256), 2>;

/// Trains the network on 16 random images with random classes, and applies it to other shapes. Returns the
/// loss of each step.
fn images(rng: &mut Generator, out: &mut impl Write) -> Result<Vec<f32>, Box<dyn Error>> {
    let mut model = SmallResNet::new(rng);
    let batch = Batch(16);
    let images: Tensor<shape![Batch, 3, 16, 16]> =
        rng.normal_shaped(shape![batch, 3, 16, 16], 0.0, 1.0);
    let classes: Tensor<shape![Batch], i64> = rng.integers_shaped(shape![batch], 0..10);
    let mut optimizer = Optimizer::new(Adam::default(), 3e-3);
    let mut losses = Vec::new();
    for _ in 0..STEPS {
        let mut pass = Pass::training(rng);
        let (loss, gradient) = try_value_and_grad(&model, |model| {
            cross_entropy(&model.forward(&images, &mut pass), &classes)
        })?;
        optimizer.step(&mut model, &gradient)?;
        pass.update(&mut model);
        losses.push(loss.item());
    }
    writeln!(
        out,
        "loss {:.3} in the first step, {:.3} in step {STEPS}",
        losses[0],
        losses[STEPS - 1]
    )?;

    let mut pass = Pass::eval();
    let scores = model.forward(&images, &mut pass);
    writeln!(out, "images {:?}, scores {:?}", images.sizes(), scores.sizes())?;
    // Without a batch, and with other sizes.
    let image = Tensor::<shape![3, 20, 12]>::ones();
    let scores = model.forward(&image, &mut pass);
    writeln!(out, "image {:?}, scores {:?}", image.sizes(), scores.sizes())?;
    // Five views of each image.
    let views = Tensor::ones_shaped(shape![batch, 5, 3, 8, 8]);
    let scores: Tensor<shape![Batch, 5, 10]> = model.forward(&views, &mut pass);
    writeln!(out, "views {:?}, scores {:?}", views.sizes(), scores.sizes())?;
    Ok(losses)
}

/// Encodes random sentences of several shapes.
fn sentences(rng: &mut Generator, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let model = SmallEncoder::new(rng);
    let mut pass = Pass::eval();
    let tokens = rng.integers_shaped(shape![Batch(4), Time(9)], PADDING + 1..1000);
    let x: Tensor<shape![Batch, Time, 64]> = model.forward(&tokens, &mut pass)?;
    let sentences: Tensor<shape![Batch, 64]> = model.pooled(&x);
    let sizes = [tokens.sizes(), x.sizes(), sentences.sizes()];
    writeln!(out, "tokens {:?}, vectors {:?}, sentences {:?}", sizes[0], sizes[1], sizes[2])?;
    // One sentence of 32 tokens.
    let tokens: Tensor<shape![32], i64> = rng.integers(PADDING + 1..1000);
    let x = model.forward(&tokens, &mut pass)?;
    let sizes = [tokens.sizes(), x.sizes(), model.pooled(&x).sizes()];
    writeln!(out, "tokens {:?}, vectors {:?}, sentence {:?}", sizes[0], sizes[1], sizes[2])?;
    Ok(())
}

/// Runs both models. Returns the loss of each training step.
pub fn run(out: &mut impl Write) -> Result<Vec<f32>, Box<dyn Error>> {
    let mut rng = Generator::seed(SEED);
    let losses = images(&mut rng, out)?;
    sentences(&mut rng, out)?;
    Ok(losses)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout()).map(drop)
}
