//! The same in generic code.
//!
//! The compiler says: "cannot infer the value of the const parameter `AXIS` declared on the method `softmax`"
//! And: "consider specifying the generic argument"
//! And: "scores.softmax::<AXIS>()"

use tensor_core::{Axis, Shape, Tensor, shape};

fn attention<Lead: Shape, Q: Axis, K: Axis, D: Axis>(
    scores: &Tensor<shape![Lead.., Q, K]>,
    values: &Tensor<shape![Lead.., K, D]>,
) -> Tensor<shape![Lead.., Q, D]> {
    scores.softmax().matmul(values)
}

fn main() {}
