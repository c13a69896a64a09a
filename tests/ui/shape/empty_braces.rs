//! Braces and no size between them.
//!
//! The compiler says: "a size is missing between the braces"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![{}, 3]>;
}
