//! Floats have no bits to invert.
//!
//! The compiler says: "cannot apply unary operator `!` to type `Tensor<((), Dim<2>)>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2]>::zeros();
    let _ = !x;
}
