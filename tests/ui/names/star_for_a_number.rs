//! A tensor of rank 0 is not a reference to its number: `item` reads it.
//!
//! The compiler says: "expected `f32`, found `NotAReference<Tensor<()>>`"

use tensor_core::{Tensor, shape};

fn loss(predictions: &Tensor<shape![512]>, targets: &Tensor<shape![512]>) -> f32 {
    let loss = (predictions - targets).square().mean();
    *loss
}

fn main() {
    println!("{}", loss(&Tensor::ones(), &Tensor::zeros()));
}
