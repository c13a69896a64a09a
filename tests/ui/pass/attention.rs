//! Attention over any leading axes.

use tensor_core::{Axis, Shape, Tensor, axis, select, shape};

axis!(Batch);

fn attention<Lead: Shape, N: Axis, M: Axis, D: Axis, V: Axis>(
    q: &Tensor<shape![Lead.., N, D]>,
    k: &Tensor<shape![Lead.., M, D]>,
    v: &Tensor<shape![Lead.., M, V]>,
    mask: &Tensor<shape![N, M], bool>,
) -> Tensor<shape![Lead.., N, V]> {
    let scores = q.matmul(&k.transpose()) * 0.125;
    let masked = select(mask, &scores, f32::NEG_INFINITY);
    masked.softmax::<-1>().matmul(v)
}

fn main() {
    let shape = shape![Batch(2), 4, 5, 8];
    let x = Tensor::from_fn_shaped(shape, |[b, h, n, d]| (b + h * n) as f32 / (d + 1) as f32);
    // A position sees itself and those before it, so that the first sees only itself.
    let causal = Tensor::<shape![5, 5], bool>::from_fn(|[n, m]| m <= n);
    let y = attention(&x, &x, &x, &causal);
    assert_eq!(y.shape(), shape);
    assert_eq!(y[[1, 3, 0, 7]], x[[1, 3, 0, 7]]);
    assert_ne!(y[[1, 3, 4, 7]], x[[1, 3, 4, 7]]);
}
