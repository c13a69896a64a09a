//! A chain of functions of floats, for any elements: the first call is the error.
//!
//! The compiler says: "elements of type `T` are not floating-point numbers"
//! And: "in generic code, the bound is `Float`"

use tensor_core::{Element, Shape, Tensor};

fn activate<S: Shape, T: Element>(x: &Tensor<S, T>) -> Tensor<S, T> {
    x.exp().ln_1p().tanh()
}

fn main() {}
