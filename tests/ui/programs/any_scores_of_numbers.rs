//! A function for elements of any type of numbers, that needs floats.
//!
//! The compiler says: "elements of type `T` are not floating-point numbers"

use tensor_core::element::Number;
use tensor_core::{HasAxis, Shape, Tensor, select, tensor};

/// Scores as probabilities, the masked ones 0.
fn probabilities<S, T>(scores: &Tensor<S, T>, masked: &Tensor<S, bool>) -> Tensor<S, T>
where
    S: Shape + HasAxis<-1>,
    T: Number,
{
    let all = scores.softmax::<-1>();
    select(masked, T::ZERO, all)
}

fn main() {
    let scores = tensor![[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]];
    let masked = scores.greater(2.5);
    println!("{}", probabilities(&scores, &masked));
}
