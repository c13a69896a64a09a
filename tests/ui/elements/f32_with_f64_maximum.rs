//! A method with an operand takes elements of the type it has.
//!
//! The compiler says: "is not an operand with elements of type `f32`"
//! And: "`x.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![3], f32>::zeros();
    let b = Tensor::<shape![3], f64>::ones();
    let _ = a.maximum(&b);
}
