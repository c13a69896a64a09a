//! Sums so far along the third axis of a matrix.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<2>), Dim<3>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3], i64>::zeros();
    let _ = x.cumsum::<2>();
}
