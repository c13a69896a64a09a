//! A gradient is a model, so that a model is cloned for it.
//!
//! The compiler says: "the trait bound `M: Clone` is not satisfied"

use tensor_core::autograd::grad;
use tensor_core::{Module, Tensor, shape};

fn slope<M: Module>(model: &M, loss: impl Fn(&M) -> Tensor<shape![]>) -> M {
    grad(model, loss)
}

fn main() {}
