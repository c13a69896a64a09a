//! Two vectors of different lengths.
//!
//! The compiler says: "cannot multiply: the last axis of the left side is `Dim<3>`, the only axis of the right side is `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![3]>::zeros();
    let b = Tensor::<shape![4]>::zeros();
    let _ = a.matmul(&b);
}
