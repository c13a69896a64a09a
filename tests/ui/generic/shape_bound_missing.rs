//! A function over any shape says so: `S: Shape`.
//!
//! The compiler says: "`S` is not a shape"
//! And: "add the bound `S: Shape`"

use tensor_core::Tensor;

fn double<S>(_: &Tensor<S>) {}

fn main() {}
