//! The channels of the weights of a transposed convolution are swapped.
//!
//! The compiler says: "the input has `Dim<128>` channels, and the weights take `Dim<3>`"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn picture(
    x: &Tensor<shape![16, 128, 8, 8]>,
    weights: &Tensor<shape![3, 128, 4, 4]>,
) -> Tensor<shape![16, 3, 16, 16]> {
    x.conv_transpose2d(weights, Conv2dOptions::new().stride::<2>().padding::<1>()).tanh()
}

fn main() {}
