//! Shapes line up at their last axis, so the generic axes come first.
//!
//! The compiler says: "leading axes come first: write `Lead..` first, then the other axes"

use tensor_core::{Shape, Tensor, shape};

fn flatten<Lead: Shape>(_: &Tensor<shape![3, Lead..]>) {}

fn main() {}
