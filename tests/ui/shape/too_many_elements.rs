//! A picture in single bits for every pixel of another: no memory holds it, and sizes multiply quickly.
//!
//! The compiler says: "a tensor of this shape does not fit into memory: 16777216 × 1048576 × 1048576 elements are more than `isize::MAX`"

use tensor_core::{Tensor, shape};

fn main() {
    let pairs = Tensor::<shape![16_777_216, 1_048_576, 1_048_576]>::zeros();
    let _ = pairs.len();
}
