//! `derive` refuses macros in types, in the words of the compiler; `#[shapes]` above it helps.
//!
//! The compiler says: "`derive` cannot be used on items with type macros"
//! Errors: 2, one for each field

use tensor_core::{Axis, Tensor, shape};

#[derive(Clone, Debug)]
struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

fn main() {}
