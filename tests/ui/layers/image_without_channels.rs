//! An image of one colour has an axis for it, too.
//!
//! The compiler says: "expected `&Tensor<(((_, _), _), _)>`, found `&Tensor<(((), Dim<1024>), Dim<1024>)>`"
//! Lines: 15, as rustc shows where the method is declared.

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Conv2d;

fn edges(layer: &Conv2d<dim!(1), dim!(64), dim!(3), dim!(3)>, x: &Tensor<shape![1024, 1024]>) {
    let _ = layer.forward(x);
}

fn main() {}
