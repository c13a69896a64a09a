//! A mask for 64 keys, and 128 of them.
//!
//! The compiler says: "is no mask for attention of queries `Dim<128>` to keys `Dim<128>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Allowed, MultiHeadAttention, Pass};

fn read(
    layer: &MultiHeadAttention<dim!(768), dim!(12), dim!(64)>,
    text: &Tensor<shape![32, 128, 768]>,
    mask: &Tensor<shape![128, 64], bool>,
) {
    let _ = layer.forward(text, Allowed(mask), &mut Pass::eval());
}

fn main() {}
