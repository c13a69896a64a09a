//! The dots follow the name.
//!
//! The compiler says: "leading axes are written with the dots after the name: `Lead..`"

use tensor_core::{Shape, Tensor, shape};

fn last<Lead: Shape>(_: &Tensor<shape![..Lead, 3]>) {}

fn main() {}
