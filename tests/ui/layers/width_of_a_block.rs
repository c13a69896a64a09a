//! A block of width 768 and a text of width 1024.
//!
//! The compiler says: "the layer takes `Dim<768>`, and the last axis of its input is `Dim<1024>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Causal, Pass, TransformerBlock};

fn read(
    block: &TransformerBlock<dim!(768), dim!(12), dim!(64), dim!(3072)>,
    text: &Tensor<shape![32, 128, 1024]>,
) {
    let _ = block.forward(text, Causal, &mut Pass::eval());
}

fn main() {}
