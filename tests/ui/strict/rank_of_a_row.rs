//! A bias of one axis on a batch of two axes, where every axis is written.
//!
//! The compiler says: "the ranks differ: shape `(((), Dim<2>), Dim<3>)` has 2 axes and shape `((), Dim<3>)` has 1"
//! And: "in `strict(rank)` code both sides have the same rank"
//! And: "`unsqueeze` puts one of size `One` in, which stretches"
//! And: "[T108]"

use tensor_core::{Tensor, shape, strict};

#[strict(rank)]
fn with_bias(x: &Tensor<shape![2, 3]>, bias: &Tensor<shape![3]>) -> Tensor<shape![2, 3]> {
    2.0 * x + bias
}

fn main() {
    with_bias(&Tensor::ones(), &Tensor::ones());
}
