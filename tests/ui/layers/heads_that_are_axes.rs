//! A block is generic over any number of heads; attention needs it in the type.
//!
//! The compiler says: "`H: StaticAxis`"

use tensor_core::{Axis, Shape, StaticAxis, Tensor, shape};
use tensor_nn::layers::{LayerNorm, MultiHeadAttention, NoMask, Pass};

struct Block<D: Axis, H: Axis, C: StaticAxis> {
    norm: LayerNorm<D>,
    attention: MultiHeadAttention<D, H, C>,
}

impl<D: Axis, H: Axis, C: StaticAxis> Block<D, H, C> {
    fn forward<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, D]>,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Time, D]> {
        x + self.attention.forward(&self.norm.forward(x), NoMask, pass)
    }
}

fn main() {}
