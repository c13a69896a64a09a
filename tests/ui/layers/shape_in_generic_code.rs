//! A layer is given a tensor of any shape, of which no axis is known.
//!
//! The compiler says: "the layer takes `D`, and the last axis of its input is `<S as Shape>::LastAxis`"
//! And: "generic code names the last axis, `Tensor<shape![Lead.., I]>`"

use tensor_core::{Axis, Shape, Tensor};
use tensor_nn::layers::{LayerNorm, Linear};

struct Residual<D: Axis> {
    norm: LayerNorm<D>,
    layer: Linear<D, D>,
}

impl<D: Axis> Residual<D> {
    fn forward<S: Shape>(&self, x: &Tensor<S>) -> Tensor<S> {
        self.norm.forward(x)
    }
}

fn main() {}
