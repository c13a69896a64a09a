//! The best-known shape bug of all. A model gives one prediction for each of four houses, as a
//! column, `[4, 1]`. The prices are a vector, `[4]`. Their difference is by the rules of broadcasting
//! a square, `[4, 4]`: every prediction minus every price.
//!
//! In other libraries this runs, the loss even falls, and the model learns next to nothing. Here the
//! type that is announced for the difference finds it.

use tensor_core::{Tensor, shape, tensor};

fn loss(prediction: &Tensor<shape![4, 1]>, price: &Tensor<shape![4]>) -> f32 {
    let difference: Tensor<shape![4]> = prediction - price;
    difference.square().mean().item()
}

fn main() {
    let prediction = tensor![[1.0], [2.0], [3.0], [4.0]];
    let price = tensor![1.0, 2.0, 3.0, 6.0];

    assert_eq!(loss(&prediction, &price), 1.0);
}
