//! The network of `examples/autoencoder`.

use std::error::Error;

use tensor_core::io::Checkpoint;
use tensor_core::random::Generator;
use tensor_core::{IndexError, Tensor, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::Linear;
use tensor_nn::losses::mse;
use tensor_nn::optim::{AdamW, Optimizer};

use crate::mlp::{Images, Labels, Mlp};
use crate::run::{Batches, Network};

#[derive(Clone, Debug, Module)]
pub struct Autoencoder {
    look: Linear<dim!(64), dim!(128)>,
    encode: Linear<dim!(128), dim!(8)>,
    decode: Linear<dim!(8), dim!(128)>,
    draw: Linear<dim!(128), dim!(64)>,
}

impl Network for Autoencoder {
    const NAME: &'static str = "autoencoder";
    type Inputs = Images;
    type Targets = Labels;

    fn new(rng: &mut Generator) -> Self {
        Self {
            look: Linear::new(rng),
            encode: Linear::new(rng),
            decode: Linear::new(rng),
            draw: Linear::new(rng),
        }
    }

    fn optimizer() -> Optimizer {
        Optimizer::new(AdamW { decay: 0.02, ..AdamW::default() }, 1e-3)
    }

    fn read(file: &Checkpoint) -> Result<Batches<Images, Labels>, Box<dyn Error>> {
        Mlp::read(file)
    }

    fn loss(&self, images: &Images, _: &Labels) -> Result<Tensor<shape![]>, IndexError> {
        let code = self.encode.forward(&self.look.forward(images).gelu_tanh());
        let drawn: Images = self.draw.forward(&self.decode.forward(&code).gelu_tanh()).sigmoid();
        Ok(mse(&drawn, images))
    }
}
