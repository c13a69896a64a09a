//! An integer in front of a tensor of floats: `2.0 * x` is meant.
//!
//! The compiler says: "cannot multiply"
//! Lines: 17, because the compiler lists the operators of a number.

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = 2 * &x;
}
