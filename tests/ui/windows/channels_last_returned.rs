//! The colours of a photograph are its last axis, and the result is returned.
//!
//! The compiler says: "the input has `Dim<1024>` channels, and the weights take `Dim<3>`"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn blurred(
    photo: &Tensor<shape![1024, 1024, 3]>,
    kernel: &Tensor<shape![3, 3, 9, 9]>,
) -> Tensor<shape![3, 1024, 1024]> {
    photo.conv2d(kernel, Conv2dOptions::new().same())
}

fn main() {}
