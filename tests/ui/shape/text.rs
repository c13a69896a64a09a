//! The name of an axis is a type, not text.
//!
//! The compiler says: "expected the size of an axis, such as `768`, not a string; a named axis is declared by `axis!(Batch)` and written without quotes"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape!["batch", 3]>;
}
