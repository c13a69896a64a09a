//! The network of `examples/digits_cnn` without dropout, whose random numbers differ between
//! libraries.

use std::error::Error;

use tensor_core::io::Checkpoint;
use tensor_core::random::Generator;
use tensor_core::windows::Pool2dOptions;
use tensor_core::{IndexError, Tensor, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{Conv2d, Linear, Same2d};
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{AdamW, Optimizer};

use crate::mlp::{Batch, Images, Labels, Mlp};
use crate::run::{Batches, Network};

#[derive(Clone, Debug, Module)]
pub struct Cnn {
    strokes: Conv2d<dim!(1), dim!(16), dim!(3), dim!(3), Same2d>,
    parts: Conv2d<dim!(16), dim!(32), dim!(3), dim!(3), Same2d>,
    hidden: Linear<dim!(512), dim!(64)>,
    scores: Linear<dim!(64), dim!(10)>,
}

impl Network for Cnn {
    const NAME: &'static str = "cnn";
    type Inputs = Images;
    type Targets = Labels;

    fn new(rng: &mut Generator) -> Self {
        Self {
            strokes: Conv2d::new(rng),
            parts: Conv2d::new(rng),
            hidden: Linear::new(rng),
            scores: Linear::new(rng),
        }
    }

    fn optimizer() -> Optimizer {
        Optimizer::new(AdamW { epsilon: 1e-6, decay: 0.05, ..AdamW::default() }, 1e-3)
    }

    fn read(file: &Checkpoint) -> Result<Batches<Images, Labels>, Box<dyn Error>> {
        Mlp::read(file)
    }

    fn loss(&self, images: &Images, labels: &Labels) -> Result<Tensor<shape![]>, IndexError> {
        let images: Tensor<shape![Batch, 1, 8, 8]> = images.unflatten::<-1, shape![1, 8, 8]>();
        let strokes = self.strokes.forward(&images).relu();
        let parts: Tensor<shape![Batch, 32, 8, 8]> = self.parts.forward(&strokes).relu();
        let pooled: Tensor<shape![Batch, 32, 4, 4]> = parts.max_pool2d(Pool2dOptions::new::<2>());
        let hidden = self.hidden.forward(&pooled.flatten_axes::<-3, -1>()).relu();
        cross_entropy(&self.scores.forward(&hidden), labels)
    }
}
