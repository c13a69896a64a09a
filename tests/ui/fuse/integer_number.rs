//! An integer on the left of floats, which goes on into a method.
//!
//! The compiler says: "cannot combine a number of type `i32` with elements of type `f32`"
//! And: "give the number the type `f32`"

use tensor_core::{Tensor, fuse, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = fuse!((2 * x).exp());
}
