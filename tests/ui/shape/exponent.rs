//! A number with an exponent is a float.
//!
//! The compiler says: "a size is an integer: write `1000`, not `1e3`"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![1e3]>;
}
