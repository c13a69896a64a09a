//! Integers and floats in one literal.
//!
//! The compiler says: "mismatched types"
//! And: "expected integer, found floating-point number"

use tensor_core::tensor;

fn main() {
    let _ = tensor![1, 2.0, 3];
}
