//! A whole number in front of a tensor of floats: `2.0 * x` is meant.
//!
//! The compiler says: "cannot multiply"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = 2 * &x;
}
