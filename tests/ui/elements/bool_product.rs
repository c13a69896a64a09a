//! A product of matrices needs numbers.
//!
//! The compiler says: "elements of type `bool` are not numbers"

use tensor_core::tensor;

fn main() {
    let a = tensor![[true, false], [false, true]];
    let _ = a.matmul(&a);
}
