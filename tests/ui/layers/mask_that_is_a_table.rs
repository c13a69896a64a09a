//! A table of bools does not say whether it is for pairs of places or for places.
//!
//! The compiler says: "is no mask for attention of queries `Dim<128>` to keys `Dim<128>`"
//! And: "`Allowed(&table)` with a table `[queries, keys]`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{MultiHeadAttention, Pass};

fn read(
    layer: &MultiHeadAttention<dim!(768), dim!(12), dim!(64)>,
    text: &Tensor<shape![32, 128, 768]>,
    allowed: &Tensor<shape![128, 128], bool>,
) {
    let _ = layer.forward(text, allowed, &mut Pass::eval());
}

fn main() {}
