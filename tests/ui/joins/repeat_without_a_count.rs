//! The axis alone: the count is missing.
//!
//! The compiler says: "x.repeat::<0, 2>()"
//! Lines: 19, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = x.repeat::<0>();
}
