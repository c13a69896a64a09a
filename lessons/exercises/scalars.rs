//! Three prices are added up. A sum over everything is one number, and one number has no axes at
//! all: its rank is 0.
//!
//! The program announces another shape for it, one axis of size 1. That would be a list with one
//! number in it.

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let prices: Tensor<shape![3]> = tensor![1.5, 2.0, 4.0];

    // Which shape does a single number have?
    let total: Tensor<shape![1]> = prices.sum();

    assert_eq!(total.item(), 7.5);
}
