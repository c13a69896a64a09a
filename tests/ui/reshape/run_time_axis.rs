//! How many elements a batch has is not known, so that it cannot be merged with another axis.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let x = Tensor::zeros_shaped(shape![Batch(32), 28, 28]);
    let _: Tensor<shape![25_088]> = x.reshape();
}
