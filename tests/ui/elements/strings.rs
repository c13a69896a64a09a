//! Text is not an element type.
//!
//! The compiler says: "`&str` is not a type of tensor elements"
//! Lines: 13, because the compiler also shows the bound of a function that the macro calls.

use tensor_core::tensor;

fn main() {
    let _ = tensor!["one", "two"];
}
