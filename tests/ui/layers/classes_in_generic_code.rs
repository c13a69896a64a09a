//! The classes have other leading axes than the scores.
//!
//! The compiler says: "go with classes of the same shape, not of shape"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Axis, Shape, Tensor, shape};
use tensor_nn::losses::cross_entropy;

fn loss<Lead: Shape, Batch: Axis, C: Axis>(
    scores: &Tensor<shape![Lead.., C]>,
    classes: &Tensor<shape![Batch], i64>,
) {
    let _ = cross_entropy(scores, classes);
}

fn main() {}
