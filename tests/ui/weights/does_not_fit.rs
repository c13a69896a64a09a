//! An encoder whose second layer differs from the file in a size, and in the name of its bias; the file has a weight of 64-bit floats.
//!
//! The compiler says: "encoder.safetensors does not fit [T715]:"
//! And: "`layers.1.weight` is f64 [10, 64], not f32 [12, 64]"
//! And: "`layers.1.bias` is missing"
//! And: "`layers.1.biases` f32 [10] is left over"

use tensor_core::{Axis, Module, Tensor, dim, shape, shapes, weights};

#[shapes]
#[derive(Module)]
struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![O, I]>,
    bias: Tensor<shape![O]>,
}

#[derive(Module)]
struct Encoder {
    layers: (Linear<dim!(32), dim!(64)>, Linear<dim!(64), dim!(12)>),
}

fn main() {
    let encoder = weights!(Encoder, "encoder.safetensors").open("encoder.safetensors").unwrap();
    println!("{:?} {:?}", encoder.layers.0.weight.shape(), encoder.layers.1.bias.shape());
}
