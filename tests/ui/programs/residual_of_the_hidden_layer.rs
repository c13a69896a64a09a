//! A residual connection that adds the input to the hidden layer.
//!
//! The compiler says: "cannot broadcast an axis of size `H` with one of size `C`"

use tensor_core::{Axis, Shape, Tensor, dim, shape};

struct FeedForward<C: Axis, H: Axis> {
    up: Tensor<shape![C, H]>,
    down: Tensor<shape![H, C]>,
}

impl<C: Axis, H: Axis> FeedForward<C, H> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., C]>) -> Tensor<shape![Lead.., C]> {
        let hidden = x.dot(&self.up).silu();
        let out = hidden.dot(&self.down);
        hidden + x
    }
}

fn main() {
    let block: FeedForward<dim!(768), dim!(3072)> =
        FeedForward { up: Tensor::full(0.01), down: Tensor::full(0.01) };
    println!("{}", block.forward(&Tensor::<shape![2, 1024, 768]>::ones()).mean().item());
}
