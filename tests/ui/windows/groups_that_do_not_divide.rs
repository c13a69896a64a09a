//! The results cannot be shared by the groups.
//!
//! The compiler says: "`Dim<1000>` channels cannot be divided into `Dim<3>` groups of the same size"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn grouped(x: &Tensor<shape![768, 28, 28]>, weights: &Tensor<shape![1000, 256, 3, 3]>) {
    let _ = x.conv2d(weights, Conv2dOptions::new().groups::<3>());
}

fn main() {}
