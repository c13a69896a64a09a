//! The outer sum of four rows and three columns is `[4, 3]`, and `[3, 4]` is announced.
//!
//! The compiler says: "mismatched types"
//! And: "expected `3`, found `4`"

use tensor_core::{Tensor, shape};

fn table(column: &Tensor<shape![4, 1]>, row: &Tensor<shape![3]>) -> Tensor<shape![3, 4]> {
    column + row
}

fn main() {}
