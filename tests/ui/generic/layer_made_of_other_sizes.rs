//! The weight gives 10 outputs, the bias has 11.
//!
//! The compiler says: "mismatched types"
//! And: "expected `10`, found `11`"

use tensor_core::{Axis, Tensor, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

fn main() {
    let (weight, bias) = (Tensor::<shape![784, 10]>::zeros(), Tensor::<shape![11]>::zeros());
    let _ = Linear { weight, bias };
}
