//! Floats have no bits to shift.
//!
//! The compiler says: "elements of type `f32` are not integers"
//! Errors: 2, as the number has another type, too

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2]>::zeros();
    let _ = x << 1;
}
