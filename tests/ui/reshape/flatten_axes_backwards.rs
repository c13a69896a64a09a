//! The first axis comes after the last.
//!
//! The compiler says: "axis 2 comes after axis 1: there is nothing to flatten"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3, 4]>::zeros();
    let _ = x.flatten_axes::<2, 1>();
}
