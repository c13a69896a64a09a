//! A matrix has no axis 2.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<2>), One)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 1]>::zeros();
    let _ = x.squeeze::<2>();
}
