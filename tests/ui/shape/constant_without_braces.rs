//! A name is an axis; arithmetic with a constant goes into braces.
//!
//! The compiler says: "a size with constants is written in braces: `{HEADS * 64}`"

use tensor_core::{Tensor, shape};

const HEADS: usize = 12;

fn main() {
    let _: Tensor<shape![HEADS * 64]>;
}
