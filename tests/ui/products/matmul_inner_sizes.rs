//! The rows of the left side have 3 numbers, the columns of the right side 4.
//!
//! The compiler says: "cannot multiply: the last axis of the left side is `Dim<3>`, the second last axis of the right side is `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros();
    let b = Tensor::<shape![4, 5]>::zeros();
    let _ = a.matmul(&b);
}
