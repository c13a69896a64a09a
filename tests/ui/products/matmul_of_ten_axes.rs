//! Matrices with eight leading axes, whose inner sizes differ.
//!
//! The compiler says: "the last axis of the left side is `Dim<1024>`, the second last axis of the right side is `Dim<1536>`"
//! And: "`Dim<1024>` and `Dim<1536>` differ"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 1024]>::zeros();
    let b = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 1536, 10]>::zeros();
    let _ = a.matmul(&b);
}
