//! A norm is named by the axis that it normalises, not by a shape as in PyTorch.
//!
//! The compiler says: "`((), Dim<768>)` is not the size of an axis"
//! And: "`dim!(768)`"
//! Lines: 18, as rustc shows an impl and the bound of the layer.

use tensor_core::shape;
use tensor_nn::layers::LayerNorm;

pub struct Block {
    pub norm: LayerNorm<shape![768]>,
}

fn main() {}
