//! No value before the semicolon.
//!
//! The compiler says: "the value is missing before `;`: write `tensor![0.5; 2, 3]`"

use tensor_core::tensor;

fn main() {
    let _ = tensor![; 2, 3];
}
