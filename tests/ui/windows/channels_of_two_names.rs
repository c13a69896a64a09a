//! Channels have names, and these are two.
//!
//! The compiler says: "the input has `Color` channels, and the weights take `Feature`"

use tensor_core::windows::Conv1dOptions;
use tensor_core::{Tensor, axis, shape};

axis!(Color);
axis!(Feature);

fn filtered(x: &Tensor<shape![Color, 1024]>, weights: &Tensor<shape![64, Feature, 5]>) {
    let _ = x.conv1d(weights, Conv1dOptions::new());
}

fn main() {}
