//! Heads before places, in generic code: the rank is not known, so that no list names every axis.
//!
//! The compiler says: "the rank of `Lead` is not known here"
//! And: "in generic code, add the bound on the whole shape"
//! Lines: 13, because the compiler proposes a bound in four lines.

use tensor_core::{Axis, Shape, Tensor, axes, shape};

fn to_heads<Lead: Shape, T: Axis, H: Axis, D: Axis>(
    x: &Tensor<shape![Lead.., T, H, D]>,
) -> Tensor<shape![Lead.., H, T, D]> {
    x.permute::<axes![0, 2, 1, 3]>()
}

fn main() {}
