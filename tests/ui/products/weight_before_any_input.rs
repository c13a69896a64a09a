//! The operands of a layer over any leading axes are swapped.
//!
//! The compiler says: "`dot` needs to know the last axis of its left side and all axes of its right side"
//! And: "as in `x.dot(&weight)`"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Axis, Shape, Tensor, shape};

fn forward<Lead: Shape, I: Axis, O: Axis>(
    weight: &Tensor<shape![I, O]>,
    bias: &Tensor<shape![O]>,
    x: &Tensor<shape![Lead.., I]>,
) -> Tensor<shape![Lead.., O]> {
    weight.dot(x) + bias
}

fn main() {}
