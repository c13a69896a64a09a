//! The default element type is `f32`, and the literals are integers.
//!
//! The compiler says: "mismatched types"
//! And: "expected `f32`, found integer"

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let _: Tensor<shape![3]> = tensor![1, 2, 3];
}
