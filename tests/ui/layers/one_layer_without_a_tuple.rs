//! A list of one layer is a tuple as well.
//!
//! The compiler says: "is no list of layers"
//! And: "`Sequential((layer,))` for a single one"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Linear, Pass, Sequential};

fn scores(layer: Linear<dim!(784), dim!(10)>, images: &Tensor<shape![32, 784]>) {
    let _: Tensor<shape![32, 10]> = Sequential(layer).forward(images, &mut Pass::eval());
}

fn main() {}
