//! Attention without the transpose of the keys, over any leading axes.
//!
//! The compiler says: "cannot multiply: the last axis of the left side is `D`, the second last axis of the right side is `N`"

use tensor_core::{Axis, Shape, Tensor, shape};

fn attention<Lead: Shape, N: Axis, D: Axis>(
    q: &Tensor<shape![Lead.., N, D]>,
    k: &Tensor<shape![Lead.., N, D]>,
    v: &Tensor<shape![Lead.., N, D]>,
) -> Tensor<shape![Lead.., N, D]> {
    let scores = q.matmul(k) * 0.125;
    scores.softmax::<-1>().matmul(v)
}

fn main() {}
