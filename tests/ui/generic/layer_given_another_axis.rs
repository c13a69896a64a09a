//! A layer from 784 inputs to 10 outputs is given images of 768.
//!
//! The compiler says: "mismatched types"
//! And: "expected `784`, found `768`"
//! Lines: 15, because E0308 also shows the function that is called.

use tensor_core::{Axis, Shape, Tensor, axis, dim, shape};

axis!(Batch);

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        x.dot(&self.weight) + &self.bias
    }
}

fn classify(layer: &Linear<dim!(784), dim!(10)>, images: &Tensor<shape![Batch, 768]>) {
    let _ = layer.forward(images);
}

fn main() {}
