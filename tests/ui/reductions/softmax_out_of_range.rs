//! Scores of four axes have no axis 4.
//!
//! The compiler says: "axis 4 is out of range for shape `(((((), Batch), Dim<12>), Dim<64>), Dim<64>)`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn probabilities(scores: &Tensor<shape![Batch, 12, 64, 64]>) {
    let _ = scores.softmax::<4>();
}

fn main() {}
