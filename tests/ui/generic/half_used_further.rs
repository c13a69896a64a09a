//! A literal is of no element type in generic code, and what follows is not wrong.
//!
//! The compiler says: "cannot combine elements of type `T` with elements of type `{float}`"
//! And: "in generic code write `x.cast::<T>()` and `T::from_f64(0.5)`"

use tensor_core::{Float, Shape, Tensor};

fn steps<S: Shape, T: Float>(x: &Tensor<S, T>, rate: &Tensor<S, T>) -> Tensor<S, T> {
    (x * 0.5 - x) / rate
}

fn main() {}
