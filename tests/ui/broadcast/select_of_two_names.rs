//! A mask over time for scores of a batch.
//!
//! The compiler says: "cannot broadcast an axis of size `Time` with one of size `Batch`"

use tensor_core::{Tensor, axis, select, shape};

axis!(Batch);
axis!(Time);

fn masked(mask: &Tensor<shape![Time, 768], bool>, scores: &Tensor<shape![Batch, 768]>) {
    let _ = select(mask, scores, 0.0);
}

fn main() {}
