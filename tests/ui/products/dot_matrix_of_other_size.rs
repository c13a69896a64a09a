//! A layer for 784 inputs is given 728.
//!
//! The compiler says: "cannot contract: the last axis of the left side is `Dim<728>`, the first axis of the matrix on the right side is `Dim<784>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![32, 728]>::zeros();
    let weight = Tensor::<shape![784, 10]>::zeros();
    let _ = x.dot(&weight);
}
