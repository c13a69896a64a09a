//! How high the image is, is known at run time.
//!
//! The compiler says: "the output size along axis `Height` is unknown at compile time"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, axis, shape};

axis!(Height);
axis!(Width);

fn edges(x: &Tensor<shape![3, Height, Width]>, weights: &Tensor<shape![1, 3, 3, 3]>) {
    let _ = x.conv2d(weights, Conv2dOptions::new());
}

fn main() {}
