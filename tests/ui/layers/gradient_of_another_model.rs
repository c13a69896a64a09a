//! A step of the last layer alone is given the gradient of the whole model.
//!
//! The compiler says: "`&Model` is no gradient of a model"
//! And: "a part of it is the gradient of that part"

use tensor_core::autograd::value_and_grad;
use tensor_core::{Module, Tensor, dim, shape};
use tensor_nn::layers::Linear;
use tensor_nn::losses::mse;
use tensor_nn::optim::{Optimizer, StepError};

#[derive(Clone, Module)]
struct Model {
    body: Linear<dim!(8), dim!(16)>,
    head: Linear<dim!(16), dim!(1)>,
}

fn step(model: &mut Model, optimizer: &mut Optimizer) -> Result<(), StepError> {
    let x = Tensor::<shape![64, 8]>::ones();
    let loss = |model: &Model| {
        let y = model.head.forward(&model.body.forward(&x).relu());
        mse(&y, &Tensor::zeros())
    };
    let (_, gradient) = value_and_grad(model, loss);
    optimizer.step(&mut model.head, &gradient)
}

fn main() {}
