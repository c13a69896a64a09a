//! A class out of range is an error of `cross_entropy`, and a gradient is that of a loss.
//!
//! The compiler says: "is not a loss: a loss is a tensor of rank 0"
//! And: "`try_value_and_grad` takes the loss"

use tensor_core::autograd::grad;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Linear;
use tensor_nn::losses::cross_entropy;

fn gradient(
    layer: &Linear<dim!(784), dim!(10)>,
    images: &Tensor<shape![32, 784]>,
    digits: &Tensor<shape![32], i64>,
) -> Linear<dim!(784), dim!(10)> {
    grad(layer, |layer| cross_entropy(&layer.forward(images), digits))
}

fn main() {}
