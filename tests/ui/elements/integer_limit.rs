//! An integer as the operand of a method.
//!
//! The compiler says: "expected a `f32`, or a tensor of them"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = x.maximum(0);
}
