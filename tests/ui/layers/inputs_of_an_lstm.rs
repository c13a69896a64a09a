//! A layer for 512 features is given 256.
//!
//! The compiler says: "expected `512`, found `256`"
//! Lines: 15, as rustc shows where the method is declared.

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Lstm, Pass};

fn read(layer: &Lstm<dim!(512), dim!(1024)>, text: &Tensor<shape![32, 128, 256]>) {
    let _ = layer.forward(text, &mut Pass::eval());
}

fn main() {}
