//! A recurrent layer is given what is at one place, and takes sequences.
//!
//! The compiler says: "the layer takes sequences `[..lead, time, Dim<16>]`, not shape `((), Dim<16>)`"
//! And: "`x.unsqueeze::<-2>()` is one of length 1"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Lstm, Pass};

fn read(layer: &Lstm<dim!(16), dim!(8)>, word: &Tensor<shape![16]>) {
    let (outputs, _) = layer.forward(word, &mut Pass::eval());
    println!("{}", outputs.sum());
}

fn main() {}
