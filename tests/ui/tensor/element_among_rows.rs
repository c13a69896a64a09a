//! A single element among rows.
//!
//! The compiler says: "this is a single element, but entry 0 is a row of 2 elements: rows and elements do not mix"

use tensor_core::tensor;

fn main() {
    let _ = tensor![[1, 2], 3];
}
