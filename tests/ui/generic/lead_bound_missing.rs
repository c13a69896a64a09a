//! Leading axes are a shape, not one axis.
//!
//! The compiler says: "`Lead` is not a shape"
//! And: "add the bound `Lead: Shape`"

use tensor_core::{Axis, Tensor, shape};

fn double<Lead: Axis>(_: &Tensor<shape![Lead.., 3]>) {}

fn main() {}
