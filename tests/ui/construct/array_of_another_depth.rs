//! A flat array for a matrix.
//!
//! The compiler says: "the nested arrays and the shape of the tensor have different ranks"
//! Lines: 19, because the compiler explains the impl that comes near.

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2, 2]>::from([1.0, 2.0, 3.0, 4.0]);
}
