//! A layer for 512 features is given 256.
//!
//! The compiler says: "the layer takes `Dim<512>`, and the last axis of its input is `Dim<256>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Lstm, Pass};

fn read(layer: &Lstm<dim!(512), dim!(1024)>, text: &Tensor<shape![32, 128, 256]>) {
    let _ = layer.forward(text, &mut Pass::eval());
}

fn main() {}
