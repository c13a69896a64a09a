//! For any height and width nothing is known about the result.
//!
//! The compiler says: "the output size along axis `H` is unknown at compile time"
//! Lines: 13, as rustc proposes a bound.

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Axis, Shape, Tensor, shape};

fn layer<Lead: Shape, H: Axis, W: Axis>(
    x: &Tensor<shape![Lead.., 768, H, W]>,
    weights: &Tensor<shape![1024, 768, 3, 3]>,
) {
    let _ = x.conv2d(weights, Conv2dOptions::new());
}

fn main() {}
