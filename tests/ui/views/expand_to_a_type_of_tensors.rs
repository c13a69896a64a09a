//! The alias of a tensor where its shape is wanted.
//!
//! The compiler says: "is not a shape"
//! And: "write shapes with `shape![2, 3]`"
//! Lines: 14, because the compiler names the impl of a shape.

use tensor_core::{Tensor, shape};

type Matrix = Tensor<shape![32, 64]>;

fn main() {
    let row = Tensor::<shape![64]>::zeros();
    let _ = row.expand::<Matrix>();
}
