//! A row among single elements.
//!
//! The compiler says: "this is a row of 2 elements, but entry 0 is a single element: rows and elements do not mix"

use tensor_core::tensor;

fn main() {
    let _ = tensor![1, [2, 3]];
}
