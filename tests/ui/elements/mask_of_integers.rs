//! A mask is of `bool`: `mask.not_equal(0)` makes one of integers.
//!
//! The compiler says: "is not a mask: its elements are not `bool`"

use tensor_core::{select, tensor};

fn main() {
    let mask = tensor![0, 1, 1];
    let _ = select(&mask, 1.0, 0.0);
}
