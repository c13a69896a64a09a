//! Indices are integers.
//!
//! The compiler says: "is not a tensor of integers, as indices are"
//! And: "indices are integers: `.cast::<i64>()` converts"

use tensor_core::{Tensor, shape};

fn rows(table: &Tensor<shape![2048, 1024]>, indices: &Tensor<shape![32]>) {
    let _ = table.take::<0, _>(indices);
}

fn main() {}
