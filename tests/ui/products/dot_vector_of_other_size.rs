//! Each row has 3 numbers, the vector 4.
//!
//! The compiler says: "cannot multiply: the last axis of the left side is `Dim<3>`, the only axis of the right side is `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let y = Tensor::<shape![4]>::zeros();
    let _ = x.dot(&y);
}
