//! A range of sizes.
//!
//! The compiler says: "an axis has one size, not a range of sizes: write one number"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2..4]>;
}
