//! The backward pass of a layer without the transpose: no message about the result.
//!
//! The compiler says: "the last axis of the left side is `O`, the first axis of the matrix on the right side is `I`"

use tensor_core::{Axis, Tensor, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn gradient<B: Axis>(
        &self,
        x: &Tensor<shape![B, I]>,
        d: &Tensor<shape![B, O]>,
    ) -> (Tensor<shape![I, O]>, Tensor<shape![B, I]>) {
        let by_weight = x.transpose().matmul(d);
        let by_input = d.dot(&self.weight);
        (by_weight, by_input)
    }
}

fn main() {
    let layer = Linear { weight: Tensor::<shape![784, 10]>::zeros() };
    let x = Tensor::<shape![64, 784]>::ones();
    let (w, _) = layer.gradient(&x, &Tensor::full(0.1));
    println!("{}", w.sum().item());
}
