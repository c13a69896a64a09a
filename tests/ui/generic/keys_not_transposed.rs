//! Scores of attention, over any leading axes, sizes and widths: the keys are not transposed.
//!
//! The compiler says: "the last axis of the left side is `D`, the second last axis of the right side is `T`"
//! And: "`transpose` swaps the last two axes"

use tensor_core::{Axis, Shape, Tensor, shape};

fn attention<Lead: Shape, T: Axis, D: Axis>(
    q: &Tensor<shape![Lead.., T, D]>,
    k: &Tensor<shape![Lead.., T, D]>,
    v: &Tensor<shape![Lead.., T, D]>,
) -> Tensor<shape![Lead.., T, D]> {
    q.matmul(k).softmax::<-1>().matmul(v)
}

fn main() {}
