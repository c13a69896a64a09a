//! `dot` sums over the last axis of its left side, and a number has none.
//!
//! The compiler says: "a tensor of rank 0 has no axis that a product with shape `((), Dim<3>)` could sum over"

use tensor_core::{Tensor, shape};

fn main() {
    let x: Tensor<shape![]> = Tensor::scalar(2.0);
    let _ = x.dot(&Tensor::<shape![3]>::ones());
}
