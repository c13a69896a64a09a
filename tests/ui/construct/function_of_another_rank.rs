//! The elements of a matrix are a function of two indices.
//!
//! The compiler says: "pattern requires 1 element but array has 2"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2, 3]>::from_fn(|[i]| i as f32);
}
