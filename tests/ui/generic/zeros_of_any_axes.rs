//! A layer of any sizes has zeros where the sizes are static: one axis at a time.
//!
//! The compiler says: "in generic code, add the bound `I: StaticAxis`"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Axis, Tensor, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn new() -> Self {
        Self { weight: Tensor::zeros() }
    }
}

fn main() {}
