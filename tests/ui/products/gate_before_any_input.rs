//! A square weight is multiplied by an input with any leading axes.
//!
//! The compiler says: "`matmul` needs to know the last two axes of both sides"
//! And: "as in `x.dot(&weight)`"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Axis, Shape, Tensor, shape};

fn gated<Lead: Shape, D: Axis>(
    a: &Tensor<shape![Lead.., D]>,
    b: &Tensor<shape![Lead.., D]>,
    weight: &Tensor<shape![D, D]>,
) -> Tensor<shape![Lead.., D]> {
    let gate = weight.matmul(a).sigmoid();
    &gate * a + (1.0 - &gate) * b
}

fn main() {}
