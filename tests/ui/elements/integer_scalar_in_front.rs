//! An integer in front of a tensor of floats: `2.0 * x` is meant.
//!
//! The compiler says: "cannot combine a number of type `i32` with elements of type `f32`"
//! And: "give the number the type `f32`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = 2 * &x;
}
