//! The classes have other leading axes than the scores.
//!
//! The compiler says: "mismatched types"
//! Lines: 18, as rustc shows where the function is declared.

use tensor_core::{Axis, Shape, Tensor, shape};
use tensor_nn::losses::cross_entropy;

fn loss<Lead: Shape, Batch: Axis, C: Axis>(
    scores: &Tensor<shape![Lead.., C]>,
    classes: &Tensor<shape![Batch], i64>,
) {
    let _ = cross_entropy(scores, classes);
}

fn main() {}
