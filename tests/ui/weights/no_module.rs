//! A file for a struct that is no model.
//!
//! The compiler says: "`Head` is not a module: a walk over the parameters of a model finds none in it"

use tensor_core::{Tensor, shape, weights};

struct Head {
    weight: Tensor<shape![10, 64]>,
}

fn main() {
    let head: Head = weights!(Head, "encoder.safetensors").open("encoder.safetensors").unwrap();
    println!("{:?}", head.weight.shape());
}
