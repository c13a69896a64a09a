//! One gradient for each sample, where their sum over the batch is meant.
//!
//! The compiler says: "the tensor on the left lacks the axes `((), Batch)`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn step(weight: &mut Tensor<shape![3]>, gradients: &Tensor<shape![Batch, 3]>) {
    *weight -= gradients * 0.1;
}

fn main() {}
