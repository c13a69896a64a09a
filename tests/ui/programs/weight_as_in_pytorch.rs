//! A weight of outputs by inputs, as PyTorch has it: no message about the bias.
//!
//! The compiler says: "the last axis of the left side is `I`, the first axis of the matrix on the right side is `O`"

use tensor_core::{Axis, Shape, Tensor, dim, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![O, I]>,
    bias: Tensor<shape![O]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        x.dot(&self.weight) + &self.bias
    }
}

fn main() {
    let layer: Linear<dim!(1024), dim!(4096)> = Linear { weight: Tensor::full(0.1), bias: Tensor::zeros() };
    println!("{}", layer.forward(&Tensor::<shape![32, 1024]>::ones()).mean().item());
}
