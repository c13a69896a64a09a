//! Commas between the names.
//!
//! The compiler says: "spaces separate the names of axes, without commas"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = rearrange!(s, d -> d, s; x);
}
