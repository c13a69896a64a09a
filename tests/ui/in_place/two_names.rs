//! A sum over time does not go into a tensor of a batch.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `Batch` does not hold one of size `Time`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);
axis!(Time);

fn accumulate(total: &mut Tensor<shape![Batch, 768]>, step: &Tensor<shape![Time, 768]>) {
    *total += step;
}

fn main() {}
