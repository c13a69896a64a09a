//! A vector is no table.
//!
//! The compiler says: "an embedding takes the rows of a table of two axes, and shape `((), Dim<768>)` is none"

use tensor_core::{Tensor, shape};

fn words(table: &Tensor<shape![768]>, indices: &Tensor<shape![32], i64>) {
    let _ = table.embedding(indices);
}

fn main() {}
