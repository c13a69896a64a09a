//! The epsilon is an argument, the axis is not.
//!
//! The compiler says: "this method takes 1 argument but 2 arguments were supplied"
//! And: "x.layer_norm::<-1>(epsilon: f64)"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Axis, Shape, Tensor, shape};

fn normalised<Lead: Shape, D: Axis>(
    x: &Tensor<shape![Lead.., D]>,
    gain: &Tensor<shape![D]>,
) -> Tensor<shape![Lead.., D]> {
    x.layer_norm(-1, 1e-5) * gain
}

fn main() {}
