//! The fused rows of GPT-NeoX, where those of GPT-2 belong.
//!
//! The compiler says: "expected `Linear<Dim<768>, QkvBlocks<Dim<768>>>`, found `Linear<Dim<768>, QkvPerHead<..., ...>>`"
//! Lines: 15, as rustc shows where the function is declared.

use tensor_core::dim;
use tensor_nn::layers::{Linear, MultiHeadAttention, QkvPerHead};

type D = dim!(768);
type Fused = Linear<D, QkvPerHead<dim!(12), dim!(64)>>;

fn attention(fused: Fused, out: Linear<D, D>) -> MultiHeadAttention<D, dim!(12), dim!(64)> {
    MultiHeadAttention::of_fused(fused, out)
}

fn main() {}
