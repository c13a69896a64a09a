//! Shapes that do not broadcast at all, in strict code: the one error is about that.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::{Tensor, shape, strict};

#[strict]
fn main() {
    let a: Tensor<shape![2, 3]> = Tensor::ones();
    let b: Tensor<shape![2, 4]> = Tensor::ones();
    let _ = (a + b.relu()) * 2.0;
}
