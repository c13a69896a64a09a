//! One number for a matrix, which has two axes.
//!
//! The compiler says: "`[usize; 1]` is not the index of an element of shape `(((), Dim<2>), Dim<3>)`"
//! And: "expected a `usize` for each axis, such as `x[[0, 0]]`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x[[0]];
}
