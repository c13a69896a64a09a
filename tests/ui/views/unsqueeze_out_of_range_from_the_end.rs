//! The result has three axes, so that the new one is -1, -2 or -3.
//!
//! The compiler says: "a new axis cannot be number -4 of shape `(((), Dim<2>), Dim<3>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.unsqueeze::<-4>();
}
