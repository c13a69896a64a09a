//! Three dots.
//!
//! The compiler says: "leading axes are written with two dots: `Lead..`"

use tensor_core::{Shape, Tensor, shape};

fn last<Lead: Shape>(_: &Tensor<shape![Lead..., 3]>) {}

fn main() {}
