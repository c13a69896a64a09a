//! `0.5` is an `f32` or an `f64`, and `T` may be either.
//!
//! The compiler says: "cannot combine elements of type `T` with elements of type `{float}`"
//! And: "`T::from_f64(0.5)`"

use tensor_core::{Float, Shape, Tensor};

fn halved<S: Shape, T: Float>(x: &Tensor<S, T>) -> Tensor<S, T> {
    x * 0.5
}

fn main() {
    halved(&tensor_core::tensor![1.0, 2.0]);
}
