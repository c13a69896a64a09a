//! Any numbers may be integers, which have no exponential.
//!
//! The compiler says: "elements of type `T` are not floating-point numbers"
//! And: "in generic code, the bound is `Float`"

use tensor_core::element::Number;
use tensor_core::{Shape, Tensor, shape};

fn soften<Lead: Shape, T: Number>(
    x: &Tensor<shape![Lead.., 3], T>,
) -> Tensor<shape![Lead.., 3], T> {
    x.softmax::<-1>()
}

fn main() {}
