//! Padding of 32 texts, and 64 of them.
//!
//! The compiler says: "is no mask for attention of queries `Dim<1024>` to keys `Dim<1024>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{KeyPadding, MultiHeadAttention, Pass};

fn read(
    layer: &MultiHeadAttention<dim!(768), dim!(12), dim!(64)>,
    text: &Tensor<shape![64, 1024, 768]>,
    has_word: &Tensor<shape![32, 1024], bool>,
) {
    let _ = layer.forward(text, KeyPadding(has_word), &mut Pass::eval());
}

fn main() {}
