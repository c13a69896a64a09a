//! A gradient with respect to a parameter of which nothing is known.
//!
//! The compiler says: "`M` is not a module"
//! And: "add the bound `M: Module`"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::autograd::grad;
use tensor_core::{Tensor, shape};

fn slope<M: Clone>(model: &M, loss: impl Fn(&M) -> Tensor<shape![]>) -> M {
    grad(model, loss)
}

fn main() {}
