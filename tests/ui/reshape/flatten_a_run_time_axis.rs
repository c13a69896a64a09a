//! How many elements a batch has is not known; `flatten_axes::<1, 2>()` leaves the batch alone.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"
//! And: "an operation that leaves this axis alone"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let x = Tensor::zeros_shaped(shape![Batch(32), 28, 28]);
    let _ = x.flatten();
}
