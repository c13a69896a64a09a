//! An array of four numbers for a vector of three.
//!
//! The compiler says: "an array of length 4 does not fill an axis of size `Dim<3>`"
//! Lines: 17, because the compiler lists what a tensor is made from.

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![3]>::from([1.0, 2.0, 3.0, 4.0]);
}
