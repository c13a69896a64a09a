//! Words are indices of a table, which are integers.
//!
//! The compiler says: "elements of type `f32` are not integers"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Embedding;

fn read(table: &Embedding<dim!(50257), dim!(768)>, words: &Tensor<shape![32, 1024]>) {
    let _ = table.forward(words);
}

fn main() {}
