//! Attention over sequences, in a function that does not name the time axis.
//!
//! The compiler says: "the layer takes sequences `[..lead, time, D]`, not shape `(Lead, D)`"
//! And: "in generic code, name both, as in `Tensor<shape![Lead.., Time, I]>`"
//! And: "this layer and its input do not fit"

use tensor_core::{Axis, Shape, StaticAxis, Tensor, shape};
use tensor_nn::layers::{MultiHeadAttention, NoMask, Pass};

fn forward<Lead: Shape, D: Axis, H: StaticAxis, C: StaticAxis>(
    layer: &MultiHeadAttention<D, H, C>,
    x: &Tensor<shape![Lead.., D]>,
) -> Tensor<shape![Lead.., D]> {
    x + layer.forward(x, NoMask, &mut Pass::eval())
}

fn main() {}
