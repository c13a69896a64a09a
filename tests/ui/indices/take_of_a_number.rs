//! One index is a tensor too.
//!
//! The compiler says: "is not a tensor of integers, as indices are"
//! And: "`Tensor::scalar(2)` is one index as a tensor"

use tensor_core::{Tensor, shape};

fn row(table: &Tensor<shape![2048, 1024]>) {
    let _ = table.take::<0, _>(3);
}

fn main() {}
