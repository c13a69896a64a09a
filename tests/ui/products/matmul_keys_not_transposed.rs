//! Attention without the transpose of the keys: 64 channels with 128 positions.
//!
//! The compiler says: "cannot multiply: the last axis of the left side is `Dim<64>`, the second last axis of the right side is `Dim<128>`"
//! And: "`transpose` swaps the last two axes"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn scores(queries: &Tensor<shape![Batch, 128, 64]>, keys: &Tensor<shape![Batch, 128, 64]>) {
    let _ = queries.matmul(keys);
}

fn main() {}
