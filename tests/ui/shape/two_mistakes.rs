//! Two mistakes are two errors, each at its place.
//!
//! The compiler says: "a size cannot be negative: write `2`"
//! And: "a size is an integer: write `3`, not `3.5`"
//! Errors: 2, one for each mistake.

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![-2, 3.5]>;
}
