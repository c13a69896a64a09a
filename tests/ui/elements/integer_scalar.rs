//! An integer is added to a tensor of floats: `x + 1.0` is meant.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `{integer}`"
//! And: "a number with `as f32`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = &x + 1;
}
