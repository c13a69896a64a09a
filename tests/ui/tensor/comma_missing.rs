//! Two elements and nothing between them.
//!
//! The compiler says: "missing comma: write `, 2`"

use tensor_core::tensor;

fn main() {
    let _ = tensor![[1 2], [3, 4]];
}
