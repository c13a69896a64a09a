//! Two linear layers, 64-128-10.

use std::error::Error;

use tensor_core::io::Checkpoint;
use tensor_core::random::Generator;
use tensor_core::{IndexError, Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::Linear;
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{Optimizer, Sgd};

use crate::run::{Batches, Network};

axis!(pub Batch);
axis!(pub Step);

/// Pixels of digits, and the digits.
pub type Images = Tensor<shape![Batch, 64]>;
pub type Labels = Tensor<shape![Batch], i64>;

#[derive(Clone, Debug, Module)]
pub struct Mlp {
    hidden: Linear<dim!(64), dim!(128)>,
    scores: Linear<dim!(128), dim!(10)>,
}

impl Network for Mlp {
    const NAME: &'static str = "mlp";
    type Inputs = Images;
    type Targets = Labels;

    fn new(rng: &mut Generator) -> Self {
        Self { hidden: Linear::new(rng), scores: Linear::new(rng) }
    }

    fn optimizer() -> Optimizer {
        Optimizer::new(Sgd { momentum: 0.9, ..Sgd::default() }, 0.1)
    }

    fn read(file: &Checkpoint) -> Result<Batches<Images, Labels>, Box<dyn Error>> {
        let images = file.tensor::<shape![Step, Batch, 64], f32>("inputs")?;
        let labels = file.tensor::<shape![Step, Batch], i64>("targets")?;
        let own = |(images, labels): (Images, Labels)| (images.contiguous(), labels.contiguous());
        Ok(images.iter_axis::<0>().zip(labels.iter_axis::<0>()).map(own).collect())
    }

    fn loss(&self, images: &Images, labels: &Labels) -> Result<Tensor<shape![]>, IndexError> {
        cross_entropy(&self.scores.forward(&self.hidden.forward(images).relu()), labels)
    }
}
