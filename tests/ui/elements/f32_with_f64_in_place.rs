//! The same in place.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `f64`"
//! And: "`.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut a = Tensor::<shape![3], f32>::zeros();
    let b = Tensor::<shape![3], f64>::ones();
    a += &b;
}
