//! A layer whose bias has the axis of the inputs. No bound is proposed: none would help.
//!
//! The compiler says: "cannot broadcast an axis of size `O` with one of size `I`"
//! And: "a named axis or type parameter matches only itself [T102]"

use tensor_core::{Axis, Shape, Tensor, axis, dim, shape};

axis!(Batch);

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![I]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        x.dot(&self.weight) + &self.bias
    }
}

fn main() {
    let layer: Linear<dim!(768), dim!(768)> = Linear { weight: Tensor::full(0.1), bias: Tensor::zeros() };
    let x = Tensor::ones_shaped(shape![Batch(2), 16, 768]);
    println!("{}", layer.forward(&x).mean().item());
}
