//! Only its transpose chooses among sizes.
//!
//! The compiler says: "only a transposed convolution has output padding"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn halved(x: &Tensor<shape![64, 56, 56]>, weights: &Tensor<shape![128, 64, 3, 3]>) {
    let _ = x.conv2d(weights, Conv2dOptions::new().stride::<2>().output_padding::<1>());
}

fn main() {}
