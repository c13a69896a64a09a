//! The new axis of a stack of matrices is 0, 1 or 2.
//!
//! The compiler says: "a new axis cannot be number 3 of shape"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = Tensor::stack::<3, _>([&x, &x]);
}
