//! Integers are compared with floats.
//!
//! The compiler says: "`&Tensor<((), Dim<3>), i64>` is not an operand with elements of type `f32`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![3]>::zeros();
    let b = Tensor::<shape![3], i64>::ones();
    let _ = a.equal(&b);
}
