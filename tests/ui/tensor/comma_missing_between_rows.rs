//! Two rows and nothing between them, which Rust would read as an index.
//!
//! The compiler says: "missing comma before this"

use tensor_core::tensor;

fn main() {
    let _ = tensor![[1, 2] [3, 4]];
}
