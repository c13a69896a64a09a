//! A name of two levels for one field.
//!
//! The compiler says: "the name of a field is not empty and has no dot, which separates two names"

use tensor_core::{Module, Tensor, shape};

#[derive(Module)]
struct Head {
    #[module(rename = "lm_head.weight")]
    weight: Tensor<shape![50257, 768]>,
}

fn main() {
    let head = Head { weight: Tensor::zeros() };
    println!("{:?}", head.weight.shape());
}
