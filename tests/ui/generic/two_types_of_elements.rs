//! `T` and `U` may be any two types of numbers, also different ones.
//!
//! The compiler says: "cannot combine elements of type `T` with elements of type `U`"
//! And: "in generic code write `x.cast::<T>()`"

use tensor_core::element::Number;
use tensor_core::{Shape, Tensor};

fn add<S: Shape, T: Number, U: Number>(a: &Tensor<S, T>, b: &Tensor<S, U>) {
    let _ = a + b;
}

fn main() {}
