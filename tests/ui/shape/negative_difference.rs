//! A kernel of 5 does not fit into 3.
//!
//! The compiler says: "`3 - 5` is negative: write a difference that is at least 0"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![3 - 5 + 1]>;
}
