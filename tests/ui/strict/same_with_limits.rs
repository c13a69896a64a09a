//! Limits that would stretch, where no operand may.
//!
//! The compiler says: "an operand would stretch: shapes `(((), Dim<2>), Dim<3>)`, `((), Dim<3>)` and `()` are not the same"
//! And: "in `strict(same)` code no operand may stretch"
//! And: "[T107]"

use tensor_core::{Tensor, shape, strictly};

fn main() {
    let x: Tensor<shape![2, 3]> = Tensor::ones();
    let low: Tensor<shape![3]> = Tensor::zeros();
    let _ = strictly!(same: x.clamp(&low, 2.0));
}
