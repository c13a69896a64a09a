//! A table has axes 0 and 1.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<2048>), Dim<1024>)`"

use tensor_core::{Tensor, shape};

fn rows(table: &Tensor<shape![2048, 1024]>, indices: &Tensor<shape![32], i64>) {
    let _ = table.take::<2, _>(indices);
}

fn main() {}
