//! Sizes end at 999,999,999.
//!
//! The compiler says: "size 1000000000 is out of range: an axis has at most 999999999 elements; use two axes whose sizes multiply to it"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![1_000_000_000]>;
}
