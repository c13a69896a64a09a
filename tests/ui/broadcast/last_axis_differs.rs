//! Rows of three numbers and rows of two: 3 and 2 differ at the last axis.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"
//! And: "shapes align at the last axis"

use tensor_core::tensor;

fn main() {
    let a = tensor![[1, 2, 3], [4, 5, 6]];
    let b = tensor![[1, 2], [3, 4]];
    let _ = &a + &b;
}
