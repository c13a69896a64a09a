//! Two numbers for three axes.
//!
//! The compiler says: "a permutation names every axis once, and this list is too short"

use tensor_core::{Tensor, axes, shape};

fn main() {
    let x = Tensor::<shape![2, 3, 4]>::zeros();
    let _ = x.permute::<axes![1, 0]>();
}
