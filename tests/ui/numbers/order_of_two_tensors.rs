//! Two tensors of one shape have an element-wise order, which `less` gives.
//!
//! The compiler says: "`<` and `>` compare two numbers of one type"
//! And: "`x.less(&y)` and `x.greater(0.0)` broadcast and give a tensor of `bool`"

use tensor_core::{Axis, Tensor, shape};

fn all_below<I: Axis>(errors: Tensor<shape![I]>, limits: Tensor<shape![I]>) -> bool {
    errors < limits
}

fn main() {}
