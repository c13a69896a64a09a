//! The exponential of an integer is not an integer.
//!
//! The compiler says: "elements of type `i32` are not floating-point numbers"
//! And: "convert with `.cast::<f32>()` first"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3], i32>::zeros();
    let _ = x.exp();
}
