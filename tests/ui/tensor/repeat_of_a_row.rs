//! A row is not a value.
//!
//! The compiler says: "a row is not an element: write one value and the whole shape, `tensor![0.5; 2, 3]`"

use tensor_core::tensor;

fn main() {
    let _ = tensor![[1, 2, 3]; 4];
}
