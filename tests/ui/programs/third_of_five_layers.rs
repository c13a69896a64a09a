//! Five layers of a model, and the third has 128 inputs where 256 come: one error, there.
//!
//! The compiler says: "expected `128`, found `256`"
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

struct Model {
    one: Linear<dim!(784), dim!(512)>,
    two: Linear<dim!(512), dim!(256)>,
    three: Linear<dim!(128), dim!(64)>,
    four: Linear<dim!(64), dim!(32)>,
    five: Linear<dim!(32), dim!(10)>,
}

impl Model {
    fn forward(&self, x: &Tensor<shape![Batch, 784]>) -> Tensor<shape![Batch, 10]> {
        let x = self.one.forward(x).relu();
        let x = self.two.forward(&x).relu();
        let x = self.three.forward(&x).relu();
        let x = self.four.forward(&x).relu();
        self.five.forward(&x)
    }
}

fn main() {}
