//! A vector has one axis, which cannot change places with another.
//!
//! The compiler says: "shape `((), Dim<3>)` has no two axes to transpose"
//! And: "`unsqueeze::<0>()` or `unsqueeze::<-1>()` makes a vector a row or a column"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = x.transpose();
}
