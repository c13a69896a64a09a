//! Forty-eight and two thousand.
//!
//! The compiler says: "the parts of `Dim<48, 2000>` are not written in order"

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<48, 2000>]>;
}
