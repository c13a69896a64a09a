//! Ten heads of 64 channels in a model of width 768.
//!
//! The compiler says: "`Dim<10>` heads of `Dim<64>` channels are `Dim<640>` channels, and the model has `Dim<768>`"

use tensor_core::{dim, random::Generator};
use tensor_nn::layers::MultiHeadAttention;

fn layer(rng: &mut Generator) -> MultiHeadAttention<dim!(768), dim!(10), dim!(64)> {
    MultiHeadAttention::new(rng)
}

fn main() {}
