//! A layer whose bias has the axis of the inputs, and not that of the outputs.
//!
//! The compiler says: "cannot broadcast an axis of size `O` with one of size `I`"

use tensor_core::{Axis, Shape, Tensor, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![I]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        x.dot(&self.weight) + &self.bias
    }
}

fn main() {}
