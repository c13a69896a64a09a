//! A norm for the hidden width, and a linear layer after it: one mistake, one error.
//!
//! The compiler says: "the layer takes `Dim<3072>`, and the last axis of its input is `Dim<768>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{LayerNorm, Linear};

struct FeedForward {
    norm: LayerNorm<dim!(3072)>,
    up: Linear<dim!(768), dim!(3072)>,
    down: Linear<dim!(3072), dim!(768)>,
}

impl FeedForward {
    fn forward(&self, x: &Tensor<shape![32, 128, 768]>) -> Tensor<shape![32, 128, 768]> {
        let hidden = self.up.forward(&self.norm.forward(x)).gelu();
        self.down.forward(&hidden) + x
    }
}

fn main() {}
