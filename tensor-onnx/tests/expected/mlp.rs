//! An ONNX model in Rust, written by `cargo shapes onnx`.

use tensor_core::functional::linear;
use tensor_core::{Module, Tensor, axis, shape};

axis!(pub Batch);

#[derive(Clone, Debug, Module)]
pub struct Fc1 {
    pub bias: Tensor<shape![16]>,
    pub weight: Tensor<shape![16, 4]>,
}

#[derive(Clone, Debug, Module)]
pub struct Fc2 {
    pub bias: Tensor<shape![3]>,
    pub weight: Tensor<shape![3, 16]>,
}

#[derive(Clone, Debug, Module)]
pub struct Model {
    pub fc1: Fc1,
    pub fc2: Fc2,
}

impl Model {
    /// Computes `probabilities`.
    pub fn forward(&self, x: &Tensor<shape![Batch, 4]>) -> Tensor<shape![Batch, 3]> {
        let hidden: Tensor<shape![Batch, 16]> = linear(x, &self.fc1.weight, Some(&self.fc1.bias));
        let active = hidden.relu();
        let scores: Tensor<shape![Batch, 3]> =
            linear(&active, &self.fc2.weight, Some(&self.fc2.bias));
        scores.softmax::<1>()
    }
}
