//! Attention is given what is at one place, and takes sequences.
//!
//! The compiler says: "the layer takes sequences `[..lead, time, Dim<512>]`, not shape `((), Dim<512>)`"
//! And: "`x.unsqueeze::<-2>()`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Causal, MultiHeadAttention, Pass};

type Attention = MultiHeadAttention<dim!(512), dim!(8), dim!(64)>;

fn attended(layer: &Attention, word: &Tensor<shape![512]>) {
    let _ = layer.forward(word, Causal, &mut Pass::eval());
}

fn main() {}
