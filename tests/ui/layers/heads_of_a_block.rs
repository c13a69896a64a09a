//! The heads of a block are those of its attention.
//!
//! The compiler says: "`Dim<12>` heads of `Dim<80>` channels are `Dim<960>` channels, and the model has `Dim<1024>`"

use tensor_core::{dim, random::Generator};
use tensor_nn::layers::{NormOrder, TransformerBlock};

fn block(rng: &mut Generator) -> TransformerBlock<dim!(1024), dim!(12), dim!(80), dim!(4096)> {
    TransformerBlock::new(rng, NormOrder::Pre, 0.1)
}

fn main() {}
