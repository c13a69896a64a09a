//! Running means of 64 channels and images of 128.
//!
//! The compiler says: "the layer takes `Dim<64>` channels, and its input has `Dim<128>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{BatchNorm2d, Pass};

fn normalised(layer: &BatchNorm2d<dim!(64)>, x: &Tensor<shape![32, 128, 28, 28]>) {
    let _ = layer.forward(x, &mut Pass::eval());
}

fn main() {}
