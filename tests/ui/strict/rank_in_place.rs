//! A row that is added to each row in place, where every axis is written.
//!
//! The compiler says: "the ranks differ: shape `(((), Dim<2>), Dim<3>)` has 2 axes and shape `((), Dim<3>)` has 1"
//! And: "[T108]"

use tensor_core::{Tensor, shape, strictly};

fn main() {
    let mut x: Tensor<shape![2, 3]> = Tensor::ones();
    let row: Tensor<shape![3]> = Tensor::ones();
    strictly!(rank: x += &row);
}
