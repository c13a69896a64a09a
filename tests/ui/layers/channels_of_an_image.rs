//! A layer for three colours is given features.
//!
//! The compiler says: "the input has `Dim<2048>` channels, and the weights take `Dim<3>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Conv2d, Options2d};

fn stem(
    layer: &Conv2d<dim!(3), dim!(64), dim!(7), dim!(7), Options2d<2, 3>>,
    x: &Tensor<shape![32, 2048, 28, 28]>,
) {
    let _ = layer.forward(x);
}

fn main() {}
