//! An integer beside a tensor of floats: `x + 1.0` is meant.
//!
//! The compiler says: "cannot add"
//! Lines: 14, because the compiler lists the operators of a tensor.

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = &x + 1;
}
