//! An integer is not a factor of floats: it is `2.0`.
//!
//! The compiler says: "`{integer}` is not an operand with elements of type `f32`"
//! And: "expected a `f32`, or a tensor of them such as `&x`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut x = Tensor::<shape![3]>::zeros();
    x *= 2;
}
