//! A column of predictions and a row of targets would be a table.
//!
//! The compiler says: "predictions of shape `(((), Dim<1024>), One)` with elements `f32` have a target of the same type, not `&Tensor<((), Dim<1024>)>`"
//! And: "`squeeze::<-1>()` takes an axis of size 1 away"

use tensor_core::{Tensor, shape};
use tensor_nn::losses::mse;

fn loss(prediction: &Tensor<shape![1024, 1]>, target: &Tensor<shape![1024]>) {
    let _ = mse(prediction, target);
}

fn main() {}
