//! Two type parameters are two numbers of channels.
//!
//! The compiler says: "the input has `C` channels, and the weights take `D`"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Axis, Shape, Tensor, shape};

fn layer<Lead: Shape, C: Axis, D: Axis>(
    x: &Tensor<shape![Lead.., C, 28, 28]>,
    weights: &Tensor<shape![1024, D, 3, 3]>,
) {
    let _ = x.conv2d(weights, Conv2dOptions::new());
}

fn main() {}
