//! A step of a part of a model with the gradient of the whole.
//!
//! The compiler says: "is no gradient of a model"
//! And: "a part of it is the gradient of that part"

use tensor_core::{Module, Tensor, shape};
use tensor_nn::optim::{LossScale, Optimizer, Sgd};

#[derive(Clone, Module)]
struct Model {
    body: Tensor<shape![64, 32]>,
    head: Tensor<shape![32, 10]>,
}

fn main() {
    let mut model = Model { body: Tensor::ones(), head: Tensor::ones() };
    let (scale, x) = (&mut LossScale::default(), Tensor::<shape![8, 64]>::ones());
    let (_, gradient) =
        scale.value_and_grad(&model, |model| x.dot(&model.body).dot(&model.head).mean());
    let mut optimizer = Optimizer::new(Sgd::default(), 0.1);
    scale.step(&mut optimizer, &mut model.head, &gradient).expect("the gradient fits");
}
