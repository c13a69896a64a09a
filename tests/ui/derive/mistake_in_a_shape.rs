//! A comma is missing in a field: one error at its place, and none about `derive` or the model.
//!
//! The compiler says: "missing comma: write `, 4096` [T703]"

use tensor_core::{Tensor, shape, shapes};

#[shapes]
#[derive(Clone, Debug)]
struct Mlp {
    expand: Tensor<shape![1024 4096]>,
    bias: Tensor<shape![4096]>,
}

fn main() {
    let model = Mlp { expand: Tensor::zeros(), bias: Tensor::zeros() };
    let copy = model.clone();
    println!("{copy:?} {}", copy.bias);
}
