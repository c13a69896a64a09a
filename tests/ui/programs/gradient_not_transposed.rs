//! A gradient without the transpose, in an in-place operation: one error.
//!
//! The compiler says: "the second last axis of the right side is `Batch`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

struct Mlp {
    w1: Tensor<shape![784, 1024]>,
    w2: Tensor<shape![1024, 10]>,
}

impl Mlp {
    fn step(&mut self, x: &Tensor<shape![Batch, 784]>, target: &Tensor<shape![Batch, 10]>) -> f32 {
        let hidden = x.dot(&self.w1).relu();
        let scores = hidden.dot(&self.w2);
        let d = scores.softmax::<-1>() - target;
        let d_hidden = d.dot(self.w2.transpose()) * hidden.greater(0.0).cast::<f32>();
        self.w2 -= hidden.matmul(&d) * 0.01;
        self.w1 -= x.transpose().matmul(&d_hidden) * 0.01;
        d.square().mean().item()
    }
}

fn main() {
    let mut model = Mlp { w1: Tensor::full(0.01), w2: Tensor::full(0.01) };
    let x = Tensor::ones_shaped(shape![Batch(32), 784]);
    let target = Tensor::full_shaped(shape![Batch(32), 10], 0.1);
    for _ in 0..10 {
        println!("{}", model.step(&x, &target));
    }
}
