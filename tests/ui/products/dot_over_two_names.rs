//! The last axis of the activations is `Hidden`, the matrix has `Model`.
//!
//! The compiler says: "the last axis of the left side is `Hidden`, the first axis of the matrix on the right side is `Model`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);
axis!(Hidden = 768);
axis!(Model = 768);

fn project(x: &Tensor<shape![Batch, Hidden]>, weight: &Tensor<shape![Model, 512]>) {
    let _ = x.dot(weight);
}

fn main() {}
