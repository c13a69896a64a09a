//! Weights for images of three colours meet features.
//!
//! The compiler says: "the input has `Dim<2048>` channels, and the weights take `Dim<3>`"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn stem(x: &Tensor<shape![2048, 28, 28]>, weights: &Tensor<shape![64, 3, 7, 7]>) {
    let _ = x.conv2d(weights, Conv2dOptions::new().stride::<2>().padding::<3>());
}

fn main() {}
