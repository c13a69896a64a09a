//! The bias of a layer of 32 units, added to the scores of ten classes.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<10>` with one of size `Dim<32>`"

use message_tests::Batch;
use tensor_core::{Tensor, shape};

fn shifted(
    scores: &Tensor<shape![Batch, 10]>,
    bias: &Tensor<shape![32]>,
) -> Tensor<shape![Batch, 10]> {
    scores + bias
}

fn main() {}
