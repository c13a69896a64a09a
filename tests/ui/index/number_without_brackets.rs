//! An index is an array, one number for each axis, for a vector too.
//!
//! The compiler says: "expected a `usize` for each axis, such as `x[[0, 0]]`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = x[0];
}
