//! Sizes are never negative; NumPy's -1 for "whatever is left" has no meaning here.
//!
//! The compiler says: "a size cannot be negative: write the size, or a named axis such as `Batch`"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2, -1]>;
}
