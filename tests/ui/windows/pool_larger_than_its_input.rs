//! A pooling too many.
//!
//! The compiler says: "a window of size `Dim<2>` is larger than its padded input, an axis of size `One`"

use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, shape};

fn halved(x: &Tensor<shape![32, 2048, 1, 1]>) {
    let _ = x.max_pool2d(Pool2dOptions::new::<2>());
}

fn main() {}
