//! Two commas and nothing between them.
//!
//! The compiler says: "an axis is missing before this comma: write its size, or remove the comma"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2, , 3]>;
}
