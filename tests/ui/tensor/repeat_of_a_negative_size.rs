//! The shape of the repeat form is one of `shape!`.
//!
//! The compiler says: "a size cannot be negative: write `3`"

use tensor_core::tensor;

fn main() {
    let _ = tensor![0.5; 2, -3];
}
