//! The compiler does not compute with generic parameters; an axis as a parameter is a size.
//!
//! The compiler says: "generic parameters may not be used in const operations"

use tensor_core::{Tensor, shape};

fn double<const N: usize>(_: &Tensor<shape![{ N }]>) {}

fn main() {}
