//! The image is smaller than the window.
//!
//! The compiler says: "a window of size `Dim<7>` is larger than its padded input, an axis of size `Dim<5>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Conv2d;

fn stem(
    layer: &Conv2d<dim!(1024), dim!(64), dim!(7), dim!(7)>,
    x: &Tensor<shape![1024, 5, 5]>,
) {
    let _ = layer.forward(x);
}

fn main() {}
