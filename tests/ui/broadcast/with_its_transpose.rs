//! A matrix and its transpose, where the matrix is not square.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = &x + x.transpose();
}
