//! A layer whose weight is `[in, out]` here, and `[out, in]` in the file.
//!
//! The compiler says: "`layers.0.weight` is f32 [64, 32], not f32 [32, 64]: its axes are in the other order"

use tensor_core::{DynTensor, Module, Tensor, shape, weights};

#[derive(Module)]
struct First {
    weight: Tensor<shape![32, 64]>,
    bias: Tensor<shape![64]>,
}

#[derive(Module)]
struct Second {
    weight: DynTensor<f64>,
    biases: DynTensor<f32>,
}

#[derive(Module)]
struct Encoder {
    layers: (First, Second),
}

fn main() {
    let encoder = weights!(Encoder, "encoder.safetensors").open("encoder.safetensors").unwrap();
    println!("{:?} {:?}", encoder.layers.0.weight.shape(), encoder.layers.0.bias.shape());
    println!("{:?} {:?}", encoder.layers.1.weight, encoder.layers.1.biases);
}
