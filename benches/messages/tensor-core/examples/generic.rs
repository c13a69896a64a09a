//! A function over any two shapes does not say that they broadcast.

use tensor_core::{Shape, Tensor};

fn add<L: Shape, R: Shape>(a: &Tensor<L>, b: &Tensor<R>) {
    let _sum = a + b;
}

fn main() {
    add(&Tensor::scalar(1.0), &Tensor::scalar(2.0));
}
