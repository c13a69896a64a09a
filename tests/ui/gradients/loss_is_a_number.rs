//! A loss from which the number was taken out: it has no gradient.
//!
//! The compiler says: "`f32` is not a loss"
//! And: "leave `.item()` out"

use tensor_core::autograd::grad;
use tensor_core::{Tensor, shape};

fn step(weights: &mut Tensor<shape![2048]>, x: &Tensor<shape![512, 2048]>, y: &Tensor<shape![512]>) {
    let gradient = grad(weights, |weights| (x.dot(weights) - y).square().mean().item());
    *weights -= gradient * 0.01;
}

fn main() {
    let mut weights = Tensor::zeros();
    step(&mut weights, &Tensor::ones(), &Tensor::ones());
    println!("{weights}");
}
