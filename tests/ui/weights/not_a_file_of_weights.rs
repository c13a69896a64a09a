//! The source file in place of the weights.
//!
//! The compiler says: "not_a_file_of_weights.rs: in none of the formats that are read: .safetensors"

use tensor_core::{Module, Tensor, shape, weights};

#[derive(Module)]
struct Head {
    weight: Tensor<shape![10, 64]>,
}

fn main() {
    let head = weights!(Head, "not_a_file_of_weights.rs").open("head.safetensors").unwrap();
    println!("{:?}", head.weight.shape());
}
