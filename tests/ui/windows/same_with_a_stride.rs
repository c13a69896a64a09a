//! A stride makes the result smaller.
//!
//! The compiler says: "`.same()` keeps the size of an axis, and a stride of `Dim<2>` does not"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn halved(x: &Tensor<shape![64, 56, 56]>, weights: &Tensor<shape![128, 64, 3, 3]>) {
    let _ = x.conv2d(weights, Conv2dOptions::new().stride::<2>().same());
}

fn main() {}
