//! -1 is the last axis, which is number 2 here: it is there twice, and axis 0 is not.
//!
//! The compiler says: "a permutation names every axis once, and axis 2 is named before"

use tensor_core::{Tensor, axes, shape};

fn main() {
    let x = Tensor::<shape![2, 3, 4]>::zeros();
    let _ = x.permute::<axes![-1, 1, 2]>();
}
