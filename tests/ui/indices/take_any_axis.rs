//! A generic function takes rows of anything.
//!
//! The compiler says: "axis 0 is out of range for shape `S`"
//! And: "in generic code, add the bound `S: HasAxis<0>`"

use tensor_core::{Shape, Tensor, shape};

fn rows<S: Shape>(table: &Tensor<S>, indices: &Tensor<shape![32], i64>) {
    let _ = table.take::<0, _>(indices);
}

fn main() {}
