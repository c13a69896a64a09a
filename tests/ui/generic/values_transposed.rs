//! Attention over any sizes multiplies the scores by the transposed values.
//!
//! The compiler says: "cannot multiply: the last axis of the left side is `Keys`, the second last axis of the right side is `V`"

use tensor_core::{Axis, Float, Shape, Tensor, shape};

fn attention<Lead: Shape, Queries: Axis, Keys: Axis, D: Axis, V: Axis, T: Float>(
    queries: &Tensor<shape![Lead.., Queries, D], T>,
    keys: &Tensor<shape![Lead.., Keys, D], T>,
    values: &Tensor<shape![Lead.., Keys, V], T>,
) -> Tensor<shape![Lead.., Queries, V], T> {
    let scores = queries.matmul(&keys.transpose()).softmax::<-1>();
    scores.matmul(&values.transpose())
}

fn main() {}
