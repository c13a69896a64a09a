//! A vector and a number: `*` scales.
//!
//! The compiler says: "`outer` takes two vectors, not shape `((), Dim<3>)` and shape `()`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![3]>::zeros();
    let _ = a.outer(2.0);
}
