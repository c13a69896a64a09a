//! The result has three axes, so that the new one is 0, 1 or 2.
//!
//! The compiler says: "a new axis cannot be number 3 of shape `(((), Dim<2>), Dim<3>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.unsqueeze::<3>();
}
