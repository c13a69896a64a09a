//! Predictions of 32 examples, and targets of 64.
//!
//! The compiler says: "expected `32`, found `64`"
//! Lines: 15, as rustc shows where the function is declared.

use tensor_core::{Tensor, shape};
use tensor_nn::losses::mse;

fn loss(prediction: &Tensor<shape![32, 1024]>, target: &Tensor<shape![64, 1024]>) {
    let _ = mse(prediction, target);
}

fn main() {}
