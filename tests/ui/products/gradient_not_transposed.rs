//! The gradient of a layer without the transpose of its inputs: the update is not a second mistake.
//!
//! The compiler says: "the last axis of the left side is `Dim<784>`, the second last axis of the right side is `Dim<64>`"
//! And: "`transpose` swaps the last two axes"

use tensor_core::{Tensor, shape};

fn step(
    weight: &mut Tensor<shape![784, 512]>,
    inputs: &Tensor<shape![64, 784]>,
    delta: &Tensor<shape![64, 512]>,
) {
    *weight -= inputs.matmul(delta) * 0.01;
}

fn main() {
    step(&mut Tensor::zeros(), &Tensor::ones(), &Tensor::ones());
}
