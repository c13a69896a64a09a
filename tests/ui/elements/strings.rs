//! Text is not an element type.
//!
//! The compiler says: "`&str` is not a type of tensor elements"

use tensor_core::tensor;

fn main() {
    let _ = tensor!["one", "two"];
}
