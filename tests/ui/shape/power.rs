//! `^` is not a power in Rust, and no part of a size.
//!
//! The compiler says: "a size is made of numbers, `+`, `-`, `*`, `/`, `%` and parentheses"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2 ^ 10]>;
}
