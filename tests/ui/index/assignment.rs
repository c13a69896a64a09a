//! Writing one element takes one number for each axis too.
//!
//! The compiler says: "`[usize; 3]` is not the index of an element of shape `(((), Dim<2>), Dim<3>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut x = Tensor::<shape![2, 3]>::zeros();
    x[[0, 0, 0]] = 1.0;
}
