//! The losses of all elements are no loss to train with.
//!
//! The compiler says: "expected `Tensor<()>`, found `Tensor<(((), Dim<32>), Dim<1024>)>`"

use tensor_core::{Tensor, shape};
use tensor_nn::losses::each;

fn loss(prediction: &Tensor<shape![32, 1024]>, target: &Tensor<shape![32, 1024]>) -> Tensor<()> {
    let losses = each::mse(prediction, target);
    losses
}

fn main() {}
