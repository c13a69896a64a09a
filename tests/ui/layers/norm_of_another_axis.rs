//! The channels are normalised where they are the last axis.
//!
//! The compiler says: "expected `768`, found `1024`"
//! Lines: 15, as rustc shows where the method is declared.

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::LayerNorm;

fn normalised(layer: &LayerNorm<dim!(768)>, x: &Tensor<shape![32, 768, 1024]>) {
    let _ = layer.forward(x);
}

fn main() {}
