//! The mean of squares of integers would be an integer.
//!
//! The compiler says: "elements of type `i64` are not floating-point numbers"
//! And: "convert with `.cast::<f32>()` first"

use tensor_core::{Tensor, shape};
use tensor_nn::losses::mse;

fn loss(counted: &Tensor<shape![1024], i64>, expected: &Tensor<shape![1024], i64>) {
    println!("{}", mse(counted, expected));
}

fn main() {}
