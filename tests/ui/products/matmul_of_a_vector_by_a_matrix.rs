//! A vector of three by a matrix of four rows.
//!
//! The compiler says: "the last axis of the left side is `Dim<3>`, the second last axis of the right side is `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![3]>::zeros();
    let b = Tensor::<shape![4, 5]>::zeros();
    let _ = a.matmul(&b);
}
