//! Heads of any number and size: that `H` times `D` is `M` is a bound.
//!
//! The compiler says: "the number of elements of shape `(((), H), D)` is not known here"
//! And: "in generic code, add the bound `(((), H), D): CountElements`"

use tensor_core::{Shape, StaticAxis, Tensor, shape};

fn split<Lead: Shape, M: StaticAxis, H: StaticAxis, D: StaticAxis>(
    x: &Tensor<shape![Lead.., M]>,
) -> Tensor<shape![Lead.., H, D]> {
    x.unflatten::<-1, shape![H, D]>()
}

fn main() {}
