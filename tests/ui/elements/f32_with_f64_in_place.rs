//! The same in place.
//!
//! The compiler says: "`&Tensor<((), Dim<3>), f64>` is not an operand with elements of type `f32`"
//! And: "`x.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut a = Tensor::<shape![3], f32>::zeros();
    let b = Tensor::<shape![3], f64>::ones();
    a += &b;
}
