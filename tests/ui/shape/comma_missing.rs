//! Two sizes and nothing between them.
//!
//! The compiler says: "missing comma: write `, 3`"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2 3]>;
}
