//! How many axes there are is not known, so that no number of indices fits.
//!
//! The compiler says: "shape `S` does not have rank"

use tensor_core::{Shape, Tensor};

fn first<S: Shape>(x: &Tensor<S>) -> f32 {
    x[[0]]
}

fn main() {}
