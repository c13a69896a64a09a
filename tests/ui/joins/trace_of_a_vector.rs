//! A vector has no diagonal.
//!
//! The compiler says: "shape `((), Dim<768>)` has no two axes with a diagonal"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![768]>::zeros().trace();
}
