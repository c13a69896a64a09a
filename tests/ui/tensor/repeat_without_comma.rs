//! Two sizes and nothing between them.
//!
//! The compiler says: "missing comma: write `, 3`"

use tensor_core::tensor;

fn main() {
    let _ = tensor![0.5; 2 3];
}
