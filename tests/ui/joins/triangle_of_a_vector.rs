//! A causal mask of a vector.
//!
//! The compiler says: "axis -2 is out of range for shape `((), Dim<2048>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2048], bool>::ones().tril(0);
}
