//! Floats have no bits to shift.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `{integer}`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2]>::zeros();
    let _ = x << 1;
}
