//! The size after a stride of 2, written down without its padding.
//!
//! The compiler says: "expected `113`, found `112`"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn stem(
    x: &Tensor<shape![3, 224, 224]>,
    weights: &Tensor<shape![64, 3, 7, 7]>,
) -> Tensor<shape![64, 113, 113]> {
    x.conv2d(weights, Conv2dOptions::new().stride::<2>().padding::<3>())
}

fn main() {}
