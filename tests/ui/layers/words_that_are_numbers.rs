//! Words are indices of a table, which are integers.
//!
//! The compiler says: "elements of type `f32` are not integers"
//! Lines: 15, as rustc shows where the bound of the function is declared.

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Embedding;

fn read(table: &Embedding<dim!(50257), dim!(768)>, words: &Tensor<shape![32, 1024]>) {
    let _ = table.forward(words);
}

fn main() {}
