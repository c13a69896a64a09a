//! Two values before the semicolon.
//!
//! The compiler says: "the repeat form takes one value: write `tensor![0.5; 2, 3]`"

use tensor_core::tensor;

fn main() {
    let _ = tensor![1, 2; 3];
}
