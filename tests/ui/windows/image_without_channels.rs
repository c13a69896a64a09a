//! A grey image has an axis of channels too.
//!
//! The compiler says: "shape `(((), Dim<1024>), Dim<1024>)` cannot be convolved along two axes with weights of shape"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn edges(x: &Tensor<shape![1024, 1024]>, weights: &Tensor<shape![1, 1, 3, 3]>) {
    let _ = x.conv2d(weights, Conv2dOptions::new());
}

fn main() {}
