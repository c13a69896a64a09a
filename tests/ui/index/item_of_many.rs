//! Which of the three elements is meant?
//!
//! The compiler says: "a tensor of shape `((), Dim<3>)` is not a single element"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = x.item();
}
