//! Rows and columns exchanged: both lengths differ, and the outer one is reported.
//!
//! The compiler says: "an array of length 3 does not fill an axis of size `Dim<2>`"
//! Lines: 16, because the compiler lists what a tensor is made from.

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2, 3]>::from([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
}
