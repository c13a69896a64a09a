//! A target of two sizes for a single axis.
//!
//! The compiler says: "the last axes of shape `((), Dim<1024>)` cannot become those of"

use tensor_core::windows::Interpolation;
use tensor_core::{Tensor, shape};

fn resized(x: &Tensor<shape![1024]>) {
    let _ = x.interpolate::<shape![56, 56]>(Interpolation::Bilinear);
}

fn main() {}
