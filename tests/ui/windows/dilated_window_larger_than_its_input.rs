//! A dilated window covers more than its size.
//!
//! The compiler says: "a window of size `Dim<5>` is larger than its padded input, an axis of size `Dim<1024>`"

use tensor_core::windows::Conv1dOptions;
use tensor_core::{Tensor, shape};

fn layer(x: &Tensor<shape![64, 1024]>, weights: &Tensor<shape![64, 64, 5]>) {
    let _ = x.conv1d(weights, Conv1dOptions::new().dilation::<512>());
}

fn main() {}
