//! A product of matrices takes elements of one type.
//!
//! The compiler says: "is not an operand with elements of type `f32`"
//! And: "`x.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3], f32>::zeros();
    let b = Tensor::<shape![3, 4], f64>::ones();
    let _ = a.matmul(&b);
}
