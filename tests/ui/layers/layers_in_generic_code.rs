//! The second layer takes the features of the input, not those of the first layer.
//!
//! The compiler says: "the layer takes `I`, and the last axis of its input is `H`"

use tensor_core::{Axis, Shape, Tensor, shape};
use tensor_nn::layers::{Linear, Pass, Relu, Sequential};

fn scores<Lead: Shape, I: Axis, H: Axis, O: Axis>(
    model: &Sequential<(Linear<I, H>, Relu, Linear<I, O>)>,
    x: &Tensor<shape![Lead.., I]>,
) -> Tensor<shape![Lead.., O]> {
    model.forward(x, &mut Pass::eval())
}

fn main() {}
