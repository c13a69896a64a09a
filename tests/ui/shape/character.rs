//! A character in the place of a size.
//!
//! The compiler says: "expected the size of an axis, such as `768`, not a character"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape!['n', 3]>;
}
