//! Single and double precision do not mix silently.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `f64`"
//! And: "`x.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![3], f32>::zeros();
    let b = Tensor::<shape![3], f64>::ones();
    let _ = &a + &b;
}
