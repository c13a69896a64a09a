//! Two sizes that may be anything need not be equal.
//!
//! The compiler says: "cannot broadcast an axis of size `I` with one of size `O`"

use tensor_core::{Axis, Tensor, shape};

fn add<I: Axis, O: Axis>(a: &Tensor<shape![I]>, b: &Tensor<shape![O]>) {
    let _ = a + b;
}

fn main() {}
