//! The message points at the operator that fails, in a chain of four.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::ones();
    let b = Tensor::<shape![3]>::ones();
    let c = Tensor::<shape![4]>::ones();
    let _ = &a * &b + &c - &a;
}
