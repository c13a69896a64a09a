//! A step along the gradient of another parameter.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `Dim<10>` does not hold one of size `Dim<256>`"

use tensor_core::autograd::grad;
use tensor_core::{Module, Tensor, shape};

#[derive(Clone, Module)]
struct Model {
    hidden: Tensor<shape![1024, 256]>,
    scores: Tensor<shape![256, 10]>,
}

fn main() {
    let mut model = Model { hidden: Tensor::full(0.01), scores: Tensor::full(0.01) };
    let images = Tensor::<shape![64, 1024]>::ones();
    for _ in 0..10 {
        let gradient = grad(&model, |model| {
            images.dot(&model.hidden).relu().dot(&model.scores).log_softmax::<-1>().mean()
        });
        model.hidden -= &gradient.hidden * 0.1;
        model.scores -= &gradient.hidden * 0.1;
    }
}
