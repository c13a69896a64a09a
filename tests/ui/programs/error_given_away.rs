//! The error is given to a product, and used once more for the loss.
//!
//! The compiler says: "borrow of moved value: `error`"
//! And: "consider borrowing `error`"
//! Lines: 15, as rustc shows where the value comes from, goes and is wanted.

use tensor_core::{Tensor, shape};

fn step(x: &Tensor<shape![100, 5]>, y: &Tensor<shape![100]>, weight: &mut Tensor<shape![5]>) -> f32 {
    let error = x.dot(&*weight) - y;
    let gradient = x.transpose().dot(error) * 0.02;
    *weight -= gradient * 0.1;
    error.square().mean().item()
}

fn main() {}
