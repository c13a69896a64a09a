//! Predictions of 32 examples, and targets of 64.
//!
//! The compiler says: "predictions of shape `(((), Dim<32>), Dim<1024>)` with elements `f32` have a target of the same type, not `&Tensor<(((), Dim<64>), Dim<1024>)>`"

use tensor_core::{Tensor, shape};
use tensor_nn::losses::mse;

fn loss(prediction: &Tensor<shape![32, 1024]>, target: &Tensor<shape![64, 1024]>) {
    let _ = mse(prediction, target);
}

fn main() {}
