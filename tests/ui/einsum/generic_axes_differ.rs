//! Two generic axes under one name.
//!
//! The compiler says: "an axis of this name is `In` before, and `Out` here"

use tensor_core::{Axis, Shape, Tensor, einsum, shape};

fn scores<Lead: Shape, In: Axis, Out: Axis>(
    x: &Tensor<shape![Lead.., In]>,
    weight: &Tensor<shape![Out]>,
) -> Tensor<Lead> {
    einsum!(.. i, i -> ..; x, weight)
}

fn main() {
    let _ = scores(&Tensor::<shape![64, 784]>::zeros(), &Tensor::<shape![10]>::zeros());
}
