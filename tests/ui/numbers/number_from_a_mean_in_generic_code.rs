//! The same where a function gives a number.
//!
//! The compiler says: "expected `f64`, found `Tensor<(), f64>`"
//! And: ".mean().into()"
//! Lines: 15, as the compiler proposes the call

use tensor_core::{Shape, Tensor};

fn squared_error<S: Shape>(prediction: &Tensor<S, f64>, target: &Tensor<S, f64>) -> f64 {
    let error = prediction - target;
    (&error * &error).mean()
}

fn main() {}
