//! Five layers, of which the fourth takes 64 numbers where the third gives 128.

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
    one: Linear<dim!(784), dim!(512)>,
    two: Linear<dim!(512), dim!(256)>,
    three: Linear<dim!(256), dim!(128)>,
    four: Linear<dim!(64), dim!(32)>,
    five: Linear<dim!(32), dim!(10)>,
}

impl Model {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., 784]>) -> Tensor<shape![Lead.., 10]> {
        let x = self.one.forward(x).relu();
        let x = self.two.forward(&x).relu();
        let x = self.three.forward(&x).relu();
        let x = self.four.forward(&x).relu();
        self.five.forward(&x)
    }
}

fn main() {
    let x = Tensor::<shape![32, 784]>::zeros();
    let forward = |model: &Model| model.forward(&x);
    let _ = forward;
}
