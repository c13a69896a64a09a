//! Writing one element takes one number for each axis too.
//!
//! The compiler says: "expected an array with a size of 2, found one with a size of 3"

use tensor_core::{Tensor, shape};

fn main() {
    let mut x = Tensor::<shape![2, 3]>::zeros();
    x[[0, 0, 0]] = 1.0;
}
