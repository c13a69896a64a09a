//! A number is one axis.
//!
//! The compiler says: "a number is one axis: write it without the dots"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![2.., 3]>;
}
