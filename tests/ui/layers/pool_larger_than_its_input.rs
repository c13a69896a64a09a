//! A window of 40 over an image of 32.
//!
//! The compiler says: "a window of size `Dim<40>` is larger than its padded input, an axis of size `Dim<32>`"
//! Lines: 13, as the compiler lists implementations

use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, shape};
use tensor_nn::layers::MaxPool2d;

fn pooled(x: &Tensor<shape![2048, 32, 32]>) {
    let _ = MaxPool2d(Pool2dOptions::new::<40>()).forward(x);
}

fn main() {}
