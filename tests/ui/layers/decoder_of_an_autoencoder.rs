//! A decoder with the sizes of the encoder, where the result is what the function returns: one error.
//!
//! The compiler says: "the layer takes `I`, and the last axis of its input is `C`"

use tensor_core::{Axis, Shape, Tensor, shape};
use tensor_nn::layers::Linear;

struct Autoencoder<I: Axis, C: Axis> {
    encoder: Linear<I, C>,
    decoder: Linear<I, C>,
}

impl<I: Axis, C: Axis> Autoencoder<I, C> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., I]> {
        let code = self.encoder.forward(x).tanh();
        self.decoder.forward(&code)
    }
}

fn main() {}
