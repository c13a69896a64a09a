//! The padding of a transposed convolution is removed from its result.
//!
//! The compiler says: "the padding of this transposed convolution removes all of its results along an axis of size `Dim<2>`"

use tensor_core::windows::Conv1dOptions;
use tensor_core::{Tensor, shape};

fn grown(x: &Tensor<shape![64, 2]>, weights: &Tensor<shape![64, 64, 3]>) {
    let _ = x.conv_transpose1d(weights, Conv1dOptions::new().padding::<2>());
}

fn main() {}
