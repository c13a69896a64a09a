//! A mask is cast before numbers are multiplied by it.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `bool`"
//! And: "`x.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = &x * x.greater(0.0);
}
