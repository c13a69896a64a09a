//! A model whose second layer takes 64 numbers where the first gives 128.
//!
//! The compiler says: "expected `64`, found `128`"
//! Lines: 15, because E0308 also shows the function that is called.

use tensor_core::{Axis, Shape, Tensor, dim, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        x.dot(&self.weight) + &self.bias
    }
}

struct Model {
    up: Linear<dim!(784), dim!(128)>,
    down: Linear<dim!(64), dim!(10)>,
}

impl Model {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., 784]>) -> Tensor<shape![Lead.., 10]> {
        let hidden = self.up.forward(x).relu();
        self.down.forward(&hidden)
    }
}

fn main() {}
