//! An assertion in strict code compares a difference that grew.
//!
//! The compiler says: "both sides would stretch: shape `((), Dim<3>)` and shape `(((), Dim<3>), One)` give `(((), Dim<3>), Dim<3>)`"
//! And: "[T106]"

use tensor_core::{Tensor, shape, strict};

#[strict]
fn main() {
    let row: Tensor<shape![3]> = Tensor::ones();
    let column: Tensor<shape![3, 1]> = Tensor::ones();
    assert_eq!((&row - &column).sum().item(), 0.0);
}
