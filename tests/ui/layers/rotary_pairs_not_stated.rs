//! Heads of 64 channels do not state which two are a pair.
//!
//! The compiler says: "channels `Dim<64>` do not state which two are a rotary pair"
//! And: "`Halves` for GPT-NeoX and for LLaMA in Hugging Face's files, `Interleaved` for GPT-J and for LLaMA in Meta's files"

use tensor_core::dim;
use tensor_nn::layers::RotaryPositions;

fn positions() -> RotaryPositions<dim!(1024), dim!(64)> {
    RotaryPositions::new()
}

fn main() {}
