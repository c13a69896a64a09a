//! `==` is one answer, a `bool`: no method of another name is proposed for it.
//!
//! The compiler says: "no method named `cast` found for type `bool`"

use tensor_core::{Tensor, shape};

fn accuracy(guess: &Tensor<shape![64], i64>, classes: &Tensor<shape![64], i64>) -> f32 {
    (guess == classes).cast::<f32>().mean().item()
}

fn main() {
    println!("{}", accuracy(&Tensor::zeros(), &Tensor::zeros()));
}
