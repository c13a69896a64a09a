//! Two element types in one pass: what the operator says.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `f64`"
//! And: "[T502]"

use tensor_core::{Tensor, fuse, shape};

fn main() {
    let a = Tensor::<shape![3], f32>::zeros();
    let b = Tensor::<shape![3], f64>::ones();
    let _ = fuse!((a + b).exp());
}
