//! A layer for 1024 features is given 768.
//!
//! The compiler says: "the layer takes `Dim<1024>`, and the last axis of its input is `Dim<768>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Linear;

fn scores(layer: &Linear<dim!(1024), dim!(2048)>, x: &Tensor<shape![32, 768]>) {
    let _ = layer.forward(x);
}

fn main() {}
