//! The axis is a constant in the turbofish, and the type of the indices is inferred.
//!
//! The compiler says: "this method takes 1 argument but 2 arguments were supplied"
//! And: "x.take::<0, _>(&indices)"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn rows(table: &Tensor<shape![2048, 1024]>, indices: &Tensor<shape![32], i64>) {
    let _ = table.take(indices, 0);
}

fn main() {}
