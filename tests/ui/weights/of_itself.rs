//! A model that opens its own file, in which a constant would need `Self`.
//!
//! The compiler says: "the file is compared in a constant, which has no `Self`: write the name of the model [T715]"

use tensor_core::{Module, Tensor, shape, weights};

#[derive(Module)]
struct Head {
    weight: Tensor<shape![10, 64]>,
}

impl Head {
    fn new() -> Self {
        weights!(Self, "encoder.safetensors").open("encoder.safetensors").unwrap()
    }
}

fn main() {
    println!("{:?}", Head::new().weight.shape());
}
