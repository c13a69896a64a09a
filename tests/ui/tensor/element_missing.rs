//! Two commas and nothing between them.
//!
//! The compiler says: "an element is missing before this comma: write it, or remove the comma"

use tensor_core::tensor;

fn main() {
    let _ = tensor![[1, , 3], [4, 5, 6]];
}
