//! Padding as of a convolution with a window of 5, in front of a pooling by 3.
//!
//! The compiler says: "the padding of a pooling is at most half of its window: `Dim<2>` elements are more than half of `Dim<3>`"
//! And: "for more, as TensorFlow and ONNX allow it, `x.pad(…)` first, with -∞ for a maximum: see `Pool2dOptions`"

use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, shape};

fn halved(x: &Tensor<shape![32, 64, 28, 28]>) {
    let _ = x.max_pool2d(Pool2dOptions::new::<3>().stride::<2>().padding::<2>());
}

fn main() {}
