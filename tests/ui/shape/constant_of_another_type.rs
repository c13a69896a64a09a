//! A constant that is not a `usize`.
//!
//! The compiler says: "mismatched types"
//! And: "expected `usize`, found `u32`"

use tensor_core::{Tensor, shape};

const HEADS: u32 = 12;

fn main() {
    let _: Tensor<shape![{ HEADS }]>;
}
