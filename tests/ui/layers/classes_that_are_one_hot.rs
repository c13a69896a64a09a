//! Classes are numbers, not rows of zeros and a one.
//!
//! The compiler says: "go with classes of the same shape, not of shape"

use tensor_core::{Tensor, shape};
use tensor_nn::losses::cross_entropy;

fn loss(scores: &Tensor<shape![32, 1024]>, classes: &Tensor<shape![32, 1024], i64>) {
    let _ = cross_entropy(scores, classes);
}

fn main() {}
