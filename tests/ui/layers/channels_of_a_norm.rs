//! Running means of 64 channels and images of 128.
//!
//! The compiler says: "expected `64`, found `128`"
//! Lines: 15, as rustc shows where the method is declared.

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{BatchNorm2d, Pass};

fn normalised(layer: &BatchNorm2d<dim!(64)>, x: &Tensor<shape![32, 128, 28, 28]>) {
    let _ = layer.forward(x, &mut Pass::eval());
}

fn main() {}
