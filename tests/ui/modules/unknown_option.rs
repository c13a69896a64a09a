//! A running mean of which the program says in PyTorch's words that it is not trained.
//!
//! The compiler says: "a field has `#[module(skip)]`, `#[module(buffer)]`, `#[module(rename ="

use tensor_core::{Module, Tensor, shape};

#[derive(Module)]
struct Normalization {
    weight: Tensor<shape![2048]>,
    #[module(no_grad)]
    running_mean: Tensor<shape![2048]>,
}

fn main() {
    let layer = Normalization { weight: Tensor::ones(), running_mean: Tensor::zeros() };
    println!("{:?} {:?}", layer.weight.shape(), layer.running_mean.shape());
}
