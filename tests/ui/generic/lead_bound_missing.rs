//! Leading axes are a shape, not one axis.
//!
//! The compiler says: "`Lead` is not a shape"
//! And: "add the bound `Lead: Shape`"
//! Lines: 17, because the compiler also shows the bound of the type, and proposes one.

use tensor_core::{Axis, Tensor, shape};

fn double<Lead: Axis>(_: &Tensor<shape![Lead.., 3]>) {}

fn main() {}
