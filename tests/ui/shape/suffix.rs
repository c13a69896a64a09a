//! A size is a `usize`.
//!
//! The compiler says: "a size has no type suffix other than `usize`: write `3`"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2, 3i64]>;
}
