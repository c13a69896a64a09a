//! The fused rows of GPT-NeoX, where those of GPT-2 belong.
//!
//! The compiler says: "the rows of a fused projection are `QkvBlocks<Dim<768>>`, not `QkvPerHead<Dim<12>, Dim<64>>`"
//! And: "`qkv_blocks` converts a weight and a bias with the rows of each head"

use tensor_core::dim;
use tensor_nn::layers::{Linear, MultiHeadAttention, QkvPerHead};

type D = dim!(768);
type Fused = Linear<D, QkvPerHead<dim!(12), dim!(64)>>;

fn attention(fused: Fused, out: Linear<D, D>) -> MultiHeadAttention<D, dim!(12), dim!(64)> {
    MultiHeadAttention::of_fused(fused, out)
}

fn main() {}
