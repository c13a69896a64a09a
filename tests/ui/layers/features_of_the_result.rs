//! The layer gives 2048 features, and 1024 are expected.
//!
//! The compiler says: "expected `1024`, found `2048`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Linear;

fn hidden(
    layer: &Linear<dim!(1024), dim!(2048)>,
    x: &Tensor<shape![32, 1024]>,
) -> Tensor<shape![32, 1024]> {
    layer.forward(x)
}

fn main() {}
