//! A column of predictions and a row of targets would be a table.
//!
//! The compiler says: "expected `&Tensor<(((), Dim<1024>), One)>`, found `&Tensor<((), Dim<1024>)>`"
//! Lines: 15, as rustc shows where the function is declared.

use tensor_core::{Tensor, shape};
use tensor_nn::losses::mse;

fn loss(prediction: &Tensor<shape![1024, 1]>, target: &Tensor<shape![1024]>) {
    let _ = mse(prediction, target);
}

fn main() {}
