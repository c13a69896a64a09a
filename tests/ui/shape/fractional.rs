//! Half an element.
//!
//! The compiler says: "a size is an integer: write `2`, not `2.5`"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2.5, 3]>;
}
