//! The image was pooled once too often.
//!
//! The compiler says: "a window of size `Dim<7>` is larger than its padded input, an axis of size `Dim<4>`"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn last(x: &Tensor<shape![32, 512, 4, 4]>, weights: &Tensor<shape![1024, 512, 7, 7]>) {
    let _ = x.conv2d(weights, Conv2dOptions::new().padding::<1>());
}

fn main() {}
