//! A truth value in the place of a size.
//!
//! The compiler says: "expected the size of an axis, such as `768`, not a bool"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![true, 3]>;
}
