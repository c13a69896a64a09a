//! Operators are operators: `add` of PyTorch, of candle and of `std::ops` is `+`.
//!
//! The compiler says: "NumPy's `add` is `&a + &b`"

use tensor_core::{Axis, Shape, Tensor, shape};

fn residual<Lead: Shape, D: Axis>(
    x: &Tensor<shape![Lead.., D]>,
    y: &Tensor<shape![Lead.., D]>,
) -> Tensor<shape![Lead.., D]> {
    x.add(y).relu()
}

fn main() {}
