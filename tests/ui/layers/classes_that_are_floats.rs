//! Classes are integers.
//!
//! The compiler says: "elements of type `f32` are not integers"

use tensor_core::{Tensor, shape};
use tensor_nn::losses::cross_entropy;

fn loss(scores: &Tensor<shape![32, 50257]>, words: &Tensor<shape![32]>) {
    let _ = cross_entropy(scores, words);
}

fn main() {}
