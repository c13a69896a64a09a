//! The number of channels is another parameter than that of the layer.
//!
//! The compiler says: "the input has `C` channels, and the weights take `D`"

use tensor_core::{Axis, Shape, Tensor, dim, shape};
use tensor_nn::layers::Conv2d;

fn features<Lead: Shape, C: Axis, D: Axis>(
    layer: &Conv2d<D, dim!(1024), dim!(3), dim!(3)>,
    x: &Tensor<shape![Lead.., C, 28, 28]>,
) {
    let _ = layer.forward(x);
}

fn main() {}
