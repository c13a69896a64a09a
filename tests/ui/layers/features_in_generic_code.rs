//! The second layer takes the features of the input, not those of the first layer.
//!
//! The compiler says: "the layer takes `I`, and the last axis of its input is `H`"

use tensor_core::{Axis, Shape, Tensor, shape};
use tensor_nn::layers::Linear;

struct Mlp<I: Axis, H: Axis, O: Axis> {
    hidden: Linear<I, H>,
    scores: Linear<I, O>,
}

impl<I: Axis, H: Axis, O: Axis> Mlp<I, H, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        self.scores.forward(&self.hidden.forward(x).relu())
    }
}

fn main() {}
