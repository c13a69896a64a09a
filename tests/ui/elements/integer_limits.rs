//! Limits of floats are floats, also 0 and 1.
//!
//! The compiler says: "`{integer}` is not an operand with elements of type `f32`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.clamp(0, 1);
}
