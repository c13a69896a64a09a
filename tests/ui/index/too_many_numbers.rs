//! Three numbers for a matrix, which has two axes.
//!
//! The compiler says: "expected an array with a size of 2, found one with a size of 3"
//! Lines: 13, because E0308 also shows the function that is called.

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.get([0, 0, 0]);
}
