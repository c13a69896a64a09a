//! A linear layer: three inputs, two outputs. Its weight is written as the formula has it, `x · w`,
//! with a row for each input. The layer keeps it as PyTorch does, with a row for each output.

use tensor_core::{Tensor, dim, shape, tensor};
use tensor_nn::layers::Linear;

fn main() {
    let w: Tensor<shape![3, 2]> = tensor![[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let bias = tensor![0.5, -0.5];

    let layer: Linear<dim!(3), dim!(2)> = Linear { weight: w, bias };
    let y = layer.forward(&tensor![[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);

    assert_eq!(y, tensor![[4.5, 4.5], [1.5, 0.5]]);
}
