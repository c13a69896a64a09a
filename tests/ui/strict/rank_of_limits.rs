//! Limits for each column of a table, where every axis is written.
//!
//! The compiler says: "the ranks differ: shapes `(((), Dim<2>), Dim<3>)`, `((), Dim<3>)` and `()` do not have the same number of axes"
//! And: "in `strict(rank)` code all operands but scalars have the same rank"
//! And: "[T108]"

use tensor_core::{Tensor, shape, strictly};

fn main() {
    let x: Tensor<shape![2, 3]> = Tensor::ones();
    let low: Tensor<shape![3]> = Tensor::zeros();
    let _ = strictly!(rank: x.clamp(&low, 2.0));
}
