//! Queries, keys and values often come out of one layer. In GPT-2's files its rows are all
//! queries, then all keys, then all values; in GPT-NeoX's the queries, keys and values of the
//! first head come first. Both are `[3 · d]`.
//!
//! `QkvBlocks` and `QkvPerHead` are axis types for the two, and `qkv_blocks` converts.

use tensor_core::{Tensor, dim, shape, tensor};
use tensor_nn::layers::{QkvBlocks, QkvPerHead};

/// Two heads of one channel.
type PerHead = QkvPerHead<dim!(2), dim!(1)>;

/// The first of three blocks.
fn queries(bias: &Tensor<shape![QkvBlocks<dim!(2)>]>) -> Tensor<shape![2]> {
    bias.slice_axis::<0, dim!(2)>(0..2)
}

fn main() {
    // q, k and v of the first head, then of the second.
    let file: Tensor<shape![PerHead]> =
        tensor![1.0, 2.0, 3.0, 10.0, 20.0, 30.0].rename_axis::<0, PerHead>();

    let first = queries(&tensor_nn::layers::qkv_blocks(&file));

    assert_eq!(first, tensor![1.0, 10.0]);
}
