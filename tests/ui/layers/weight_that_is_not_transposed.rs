//! A weight of a linear layer has a row for each output, as in PyTorch.
//!
//! The compiler says: "expected `2048`, found `1024`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Linear;

fn layer(weight: Tensor<shape![1024, 2048]>) -> Linear<dim!(1024), dim!(2048)> {
    Linear { weight, bias: Tensor::zeros() }
}

fn main() {}
