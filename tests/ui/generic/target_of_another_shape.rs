//! Predictions and their target have two type parameters.
//!
//! The compiler says: "predictions of shape `S` with elements `f32` have a target of the same type"
//! And: "two type parameters are two shapes: use one for both"

use tensor_core::{Shape, Tensor, shape};
use tensor_nn::losses::mse;

fn losses<S: Shape, R: Shape>(
    prediction: &Tensor<S>,
    target: &Tensor<R>,
) -> f32 {
    let scaled = prediction * 0.5;
    mse(&scaled, target).item()
}

fn main() {
    let prediction = Tensor::<shape![256, 1]>::ones();
    let target = Tensor::<shape![256, 1]>::zeros();
    println!("{}", losses(&prediction, &target));
}
