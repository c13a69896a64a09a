//! The gradient of the transposed weight does not fit the weight.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `O` does not hold one of size `I`"

use tensor_core::{Axis, Tensor, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn backward<B: Axis>(
        &mut self,
        x: &Tensor<shape![B, I]>,
        d: &Tensor<shape![B, O]>,
        rate: f32,
    ) -> Tensor<shape![B, I]> {
        let by_input = d.dot(self.weight.transpose());
        self.weight -= d.transpose().matmul(x) * rate;
        self.bias -= d.sum_axis::<0>() * rate;
        by_input
    }
}

fn main() {
    let mut layer = Linear { weight: Tensor::<shape![784, 10]>::zeros(), bias: Tensor::zeros() };
    let x = Tensor::<shape![64, 784]>::ones();
    println!("{}", layer.backward(&x, &Tensor::full(0.1), 0.5).sum().item());
}
