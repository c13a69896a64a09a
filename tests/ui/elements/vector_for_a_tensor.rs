//! A `Vec` is not a tensor.
//!
//! The compiler says: "`Vec<{float}>` is not an operand with elements of type `f32`"
//! And: "expected a `f32`, or a tensor of them such as `&x`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::ones();
    let _ = x.maximum(vec![1.0, 2.0, 3.0]);
}
