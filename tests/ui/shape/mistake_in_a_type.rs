//! A mistake in a type that is used later: one error, none where it is used.
//!
//! The compiler says: "a size is an integer: write `3`, not `3.0`"

use tensor_core::{Tensor, shape};

fn centre(x: &Tensor<shape![4, 3.0]>) -> Tensor<shape![4, 3]> {
    x - Tensor::<shape![3]>::ones()
}

fn main() {
    let _ = centre(&Tensor::zeros());
}
