//! Weights as Meta's files have them, and positions for Hugging Face's.
//!
//! The compiler says: "Interleaved<Dim<64>>>`"
//! Lines: 15, as rustc shows where the method is declared.

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{
    Causal, GroupedQueryAttention, Halves, Interleaved, Pass, RotaryPositions,
};

fn read(
    layer: &GroupedQueryAttention<dim!(2048), dim!(32), dim!(8), Interleaved<dim!(64)>>,
    text: &Tensor<shape![1024, 2048]>,
    positions: &RotaryPositions<dim!(1024), Halves<dim!(64)>>,
) {
    let _ = layer.forward_rotary(text, positions, Causal, &mut Pass::eval());
}

fn main() {}
