//! Attention whose weights multiply the queries: no message about the result.
//!
//! The compiler says: "the last axis of the left side is `M`, the second last axis of the right side is `N`"

use tensor_core::{Axis, Shape, Tensor, select, shape};

fn masked_attention<Lead: Shape, N: Axis, M: Axis, D: Axis, V: Axis>(
    q: &Tensor<shape![Lead.., N, D]>,
    k: &Tensor<shape![Lead.., M, D]>,
    v: &Tensor<shape![Lead.., M, V]>,
    mask: &Tensor<shape![N, M], bool>,
) -> Tensor<shape![Lead.., N, V]> {
    let scores = q.matmul(&k.transpose()) * 0.125;
    let masked = select(mask, &scores, f32::NEG_INFINITY);
    let weights = masked.softmax::<-1>();
    weights.matmul(q)
}

fn main() {
    let q = Tensor::<shape![8, 1024, 64]>::ones();
    let k = Tensor::<shape![8, 2048, 64]>::ones();
    let v = Tensor::<shape![8, 2048, 128]>::ones();
    let mask = Tensor::from_fn(|[i, j]| j <= i + 1024);
    println!("{}", masked_attention(&q, &k, &v, &mask).sum().item());
}
