//! A layer of three inputs and two outputs: a product, plus one number for each output, the bias.
//!
//! The bias has no axis for the examples, so it stretches over all of them. Its own axis is aligned
//! with the last axis of the product.

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let examples: Tensor<shape![4, 3]> = Tensor::from_fn(|[example, _]| example as f32);
    let weight: Tensor<shape![3, 2]> = Tensor::ones();

    // One number for each output.
    let bias = tensor![0.5, 1.0];

    let output = examples.dot(&weight) + bias;
    assert_eq!(output[[0, 0]], 0.5);
    assert_eq!(output[[3, 1]], 10.0);
}
