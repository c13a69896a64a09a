//! Attention over any leading axes, where the keys are not transposed.
//!
//! The compiler says: "the last axis of the left side is `D`, the second last axis of the right side is `M`"

use tensor_core::{Axis, Shape, Tensor, axis, shape};

axis!(Batch, Time);

fn attention<Lead: Shape, N: Axis, M: Axis, D: Axis>(
    q: &Tensor<shape![Lead.., N, D]>,
    k: &Tensor<shape![Lead.., M, D]>,
    v: &Tensor<shape![Lead.., M, D]>,
    scale: f32,
) -> Tensor<shape![Lead.., N, D]> {
    let scores = q.matmul(k) * scale;
    let weights = scores.softmax::<-1>();
    weights.matmul(v)
}

fn main() {
    let x = Tensor::ones_shaped(shape![Batch(2), 12, Time(100), 64]);
    let y = attention(&x, &x, &x, 0.125);
    println!("{}", y.mean().item());
}
