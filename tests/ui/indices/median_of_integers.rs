//! The middle of two integers is no integer.
//!
//! The compiler says: "elements of type `i32` are not floating-point numbers"

use tensor_core::tensor;

fn main() {
    let _ = tensor![1_i32, 2, 3, 4].median();
}
