//! A literal of three columns where two are announced.
//!
//! The compiler says: "mismatched types"
//! And: "expected `2`, found `3`"

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let _: Tensor<shape![2, 2]> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
}
