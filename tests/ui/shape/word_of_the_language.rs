//! A word of the language in the place of an axis.
//!
//! The compiler says: "`for` is a word of the language: expected the size or the name of an axis, such as `768` or `Batch`"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2, for]>;
}
