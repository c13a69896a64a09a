//! Queries of 32 texts attend to keys of 64.
//!
//! The compiler says: "expected `32`, found `64`"
//! Lines: 15, as rustc shows where the method is declared.

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{MultiHeadAttention, NoMask, Pass};

fn translate(
    layer: &MultiHeadAttention<dim!(768), dim!(12), dim!(64)>,
    text: &Tensor<shape![32, 128, 768]>,
    original: &Tensor<shape![64, 128, 768]>,
) {
    let _ = layer.cross(text, original, NoMask, &mut Pass::eval());
}

fn main() {}
