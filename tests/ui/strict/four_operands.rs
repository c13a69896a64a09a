//! Four operands, of which two stretch each other.
//!
//! The compiler says: "every operand would stretch: shapes `((), Dim<2>)`, `(((), Dim<3>), One)`, `((), Dim<2>)` and `((), Dim<2>)` give `(((), Dim<3>), Dim<2>)`"
//! And: "[T106]"

use tensor_core::{Tensor, shape, strict, zip_with4};

#[strict]
fn main() {
    let x: Tensor<shape![2]> = Tensor::ones();
    let scale: Tensor<shape![3, 1]> = Tensor::ones();
    let _ = zip_with4(&x, &scale, &x.exp(), &x, |x, scale, y, z| x * scale + y * z);
}
