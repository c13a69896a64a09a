//! One loss for each example of a batch: the mean over the batch was forgotten.
//!
//! The compiler says: "a loss is a tensor of rank 0"
//! And: "`.mean()`"

use tensor_core::autograd::value_and_grad;
use tensor_core::{Module, Tensor, axis, shape};

axis!(Batch);

#[derive(Clone, Module)]
struct Scores {
    weight: Tensor<shape![1024, 10]>,
    bias: Tensor<shape![10]>,
}

impl Scores {
    fn forward(&self, images: &Tensor<shape![Batch, 1024]>) -> Tensor<shape![Batch, 10]> {
        images.dot(&self.weight) + &self.bias
    }
}

fn main() {
    let mut model = Scores { weight: Tensor::zeros(), bias: Tensor::zeros() };
    let images = Tensor::ones_shaped(shape![Batch(64), 1024]);
    let targets = Tensor::ones_shaped(shape![Batch(64), 10]);
    for _ in 0..100 {
        let (loss, gradient) = value_and_grad(&model, |model| {
            let error = model.forward(&images) - &targets;
            error.square().mean_axis::<-1>()
        });
        model.weight -= &gradient.weight * 0.1;
        model.bias -= &gradient.bias * 0.1;
        println!("{loss}");
    }
}
