//! The channels are normalised where they are the last axis.
//!
//! The compiler says: "the layer takes `Dim<768>`, and the last axis of its input is `Dim<1024>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::LayerNorm;

fn normalised(layer: &LayerNorm<dim!(768)>, x: &Tensor<shape![32, 768, 1024]>) {
    let _ = layer.forward(x);
}

fn main() {}
