//! `zip_assign` keeps the shape of its target, as `+=` does.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `One` does not hold one of size `Dim<3>`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut a = Tensor::<shape![2, 1]>::zeros();
    let b = Tensor::<shape![2, 3]>::ones();
    a.zip_assign(&b, |a, b| a.max(b));
}
