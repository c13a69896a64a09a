//! How many there are of a batch is known when the program runs.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time, so the sliced axis needs a new name"

use tensor_core::{Tensor, axis, shape, slice};

axis!(Batch);

fn first_half(x: &Tensor<shape![Batch, 784]>) {
    let _ = x.slice(slice![..16]);
}

fn main() {
    let _ = first_half;
}
