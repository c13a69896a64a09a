//! A mistake in a shape that is a value: one error, although a shape is expected of it.
//!
//! The compiler says: "a size cannot be negative: write `3`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let x: Tensor<shape![Batch, 3]> = Tensor::zeros_shaped(shape![Batch(32), -3]);
    let _ = &x + &x;
}
