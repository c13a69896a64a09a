//! A bias with one element for each input, where there is one for each output.
//!
//! The compiler says: "`Tensor<((), Dim<784>)>` is no bias of `Dim<10>` outputs"
//! And: "expected a tensor of shape `((), Dim<10>)`, or `NoBias`"

use tensor_core::{Tensor, shape};
use tensor_nn::layers::Linear;

fn scores(images: &Tensor<shape![32, 784]>) -> Tensor<shape![32, 10]> {
    let weight = Tensor::<shape![10, 784]>::zeros();
    let bias = Tensor::<shape![784]>::zeros();
    Linear { weight, bias }.forward(images)
}

fn main() {}
