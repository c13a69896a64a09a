//! A function that trains any model asks for less than that.
//!
//! The compiler says: "`M` is not a module"
//! And: "add the bound `M: Module`"
//! Errors: 2, one for the gradient and one for the step.
//! Lines: 27, as rustc shows the bound of the second.

use tensor_core::autograd::value_and_grad;
use tensor_core::{Tensor, shape};
use tensor_nn::optim::{Optimizer, Sgd};

fn fit<M: Clone>(model: &mut M, loss: impl Fn(&M) -> Tensor<shape![]>) {
    let mut optimizer = Optimizer::new(Sgd::default(), 0.1);
    for _ in 0..100 {
        let (_, gradient) = value_and_grad(&*model, &loss);
        optimizer.step(model, gradient).unwrap();
    }
}

fn main() {}
