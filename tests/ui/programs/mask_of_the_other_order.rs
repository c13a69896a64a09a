//! A mask with the keys before the queries, for any number of both.
//!
//! The compiler says: "cannot broadcast an axis of size `N` with one of size `M`"

use tensor_core::{Axis, Shape, Tensor, select, shape};

fn weights<Lead: Shape, N: Axis, M: Axis, D: Axis>(
    q: &Tensor<shape![Lead.., N, D]>,
    k: &Tensor<shape![Lead.., M, D]>,
    mask: &Tensor<shape![M, N], bool>,
) -> Tensor<shape![Lead.., N, M]> {
    let scores = q.matmul(&k.transpose()) * 0.125;
    let masked = select(mask, &scores, f32::NEG_INFINITY);
    masked.softmax::<-1>()
}

fn main() {
    let q = Tensor::<shape![8, 1024, 64]>::ones();
    let k = Tensor::<shape![8, 1024, 64]>::ones();
    let mask = Tensor::from_fn(|[i, j]| j <= i);
    println!("{}", weights(&q, &k, &mask).sum().item());
}
