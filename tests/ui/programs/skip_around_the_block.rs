//! A skip connection around a block that widens: the middle of three axes is right, the last is not.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<256>` with one of size `Dim<128>`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

struct Block {
    widen: Tensor<shape![128, 256]>,
    mix: Tensor<shape![256, 256]>,
}

impl Block {
    fn forward(&self, x: &Tensor<shape![Batch, 64, 128]>) -> Tensor<shape![Batch, 256]> {
        let hidden = x.dot(&self.widen).relu();
        let hidden = hidden.dot(&self.mix).relu();
        (hidden + x).mean_axis::<1>()
    }
}

fn main() {}
