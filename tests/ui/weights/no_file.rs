//! A file that is not beside the program.
//!
//! The compiler says: "there is no file `head.safetensors` in the folder of this source file, nor in that of the package's `Cargo.toml` [T715]"

use tensor_core::{Module, Tensor, shape, weights};

#[derive(Module)]
struct Head {
    weight: Tensor<shape![10, 64]>,
}

fn main() {
    let head = weights!(Head, "head.safetensors").open("head.safetensors").unwrap();
    println!("{:?}", head.weight.shape());
}
