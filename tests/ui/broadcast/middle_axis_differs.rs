//! Only the axis in the middle differs: the first and the last match.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<5>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3, 4]>::zeros();
    let b = Tensor::<shape![2, 5, 4]>::zeros();
    let _ = a * b;
}
