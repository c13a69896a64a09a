//! The same in generic code: leading axes may hold a run-time size.
//!
//! The compiler says: "not every axis of shape `Lead` has a size known at compile time"
//! Lines: 13, because the compiler proposes a bound in four lines.

use tensor_core::{Shape, Tensor, shape};

fn zeros<Lead: Shape>() -> Tensor<shape![Lead.., 3]> {
    Tensor::zeros()
}

fn main() {}
