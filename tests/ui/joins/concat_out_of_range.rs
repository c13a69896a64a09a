//! A matrix has no axis 2.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<1024>), Dim<768>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = x.concat::<2, _>(&x);
}
