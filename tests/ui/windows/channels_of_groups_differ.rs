//! Weights of one group, used with four.
//!
//! The compiler says: "the input has `Dim<256>` channels, and the weights take `Dim<256>` in each of `Dim<4>` groups"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn grouped(x: &Tensor<shape![256, 28, 28]>, weights: &Tensor<shape![1024, 256, 3, 3]>) {
    let _ = x.conv2d(weights, Conv2dOptions::new().padding::<1>().groups::<4>());
}

fn main() {}
