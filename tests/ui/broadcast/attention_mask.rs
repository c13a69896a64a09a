//! A causal mask for 128 positions, and scores of 64: four axes, one of which differs.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<64>` with one of size `Dim<128>`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn masked(
    scores: &Tensor<shape![Batch, 12, 64, 64]>,
    mask: &Tensor<shape![64, 128]>,
) -> Tensor<shape![Batch, 12, 64, 64]> {
    scores + mask
}

fn main() {}
