//! Channels have names, and these are two.
//!
//! The compiler says: "the input has `Color` channels, and the weights take `Feature`"

use tensor_core::windows::Conv1d;
use tensor_core::{Tensor, axis, shape};

axis!(Color);
axis!(Feature);

fn filtered(x: &Tensor<shape![Color, 1024]>, weights: &Tensor<shape![64, Feature, 5]>) {
    let _ = x.conv1d(weights, Conv1d::new());
}

fn main() {}
