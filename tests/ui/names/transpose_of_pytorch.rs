//! Scaled dot-product attention as in PyTorch: `k.t()`.
//!
//! The compiler says: "PyTorch's `t` is `x.transpose()`"
//! And: "write `x.transpose()`"

use tensor_core::{Axis, Shape, Tensor, shape};

fn attention<Lead: Shape, Q: Axis, K: Axis, D: Axis>(
    queries: &Tensor<shape![Lead.., Q, D]>,
    keys: &Tensor<shape![Lead.., K, D]>,
    values: &Tensor<shape![Lead.., K, D]>,
) -> Tensor<shape![Lead.., Q, D]> {
    let scores = queries.matmul(&keys.t()) / 8.0;
    scores.softmax::<-1>().matmul(values)
}

fn main() {
    let x = Tensor::<shape![12, 1024, 64]>::ones();
    println!("{}", attention(&x, &x, &x));
}
