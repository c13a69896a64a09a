//! `1.0 - x` where the elements are of any type of floats.
//!
//! The compiler says: "cannot combine a number of type `f64` with elements of type `T`"
//! And: "in generic code a number on the left is `Tensor::<(), T>::full(T::from_f64(1.0))`"

use tensor_core::{Float, Shape, Tensor};

fn complement<S: Shape, T: Float>(x: &Tensor<S, T>) -> Tensor<S, T> {
    1.0 - x
}

fn main() {
    complement(&tensor_core::tensor![0.25, 0.75]);
}
