//! Two lists of any axes: where would the first end?
//!
//! The compiler says: "a shape has one list of leading axes, and it already begins with `A..`"

use tensor_core::{Shape, Tensor, shape};

fn join<A: Shape, B: Shape>(_: &Tensor<shape![A.., B.., 3]>) {}

fn main() {}
