//! Two tables with the same columns and different numbers of rows.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<2>` with one of size `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros();
    let b = Tensor::<shape![4, 3]>::zeros();
    let _ = a - &b;
}
