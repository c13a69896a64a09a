//! A matrix has no axis 2.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<2>), Dim<3>)`"

use tensor_core::{Tensor, axes, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.permute::<axes![0, 2]>();
}
