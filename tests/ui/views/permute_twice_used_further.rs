//! -1 and 2 are the same axis: the result that is used further is not a second mistake.
//!
//! The compiler says: "a permutation names every axis once, and axis -1 is named before"

use tensor_core::{Tensor, axes, shape};

fn channels_last(x: &Tensor<shape![32, 3, 224]>) -> Tensor<shape![32, 224, 3]> {
    let y = x.permute::<axes![0, 2, -1]>();
    y * 2.0
}

fn main() {}
