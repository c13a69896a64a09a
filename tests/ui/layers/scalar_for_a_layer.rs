//! A layer is given a single number, which has no axes.
//!
//! The compiler says: "the layer takes `Dim<768>`, and the last axis of its input is `NoLastAxis`"

use tensor_core::{Tensor, dim};
use tensor_nn::layers::Linear;

fn answer(layer: &Linear<dim!(768), dim!(2)>, score: &Tensor<()>) {
    let _ = layer.forward(score);
}

fn main() {}
