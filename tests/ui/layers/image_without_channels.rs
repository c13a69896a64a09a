//! An image of one colour has an axis for it, too.
//!
//! The compiler says: "cannot be convolved along two axes with weights of shape"
//! And: "`conv2d` takes `[..lead, c, h, w]`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Conv2d;

fn edges(layer: &Conv2d<dim!(1), dim!(64), dim!(3), dim!(3)>, x: &Tensor<shape![1024, 1024]>) {
    let _ = layer.forward(x);
}

fn main() {}
