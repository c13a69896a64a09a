//! That `a + b` works does not say that the sum has the shape of `a`.
//!
//! The compiler says: "an in-place result cannot grow: shape `L` does not hold shape `R`"

use tensor_core::{Broadcast, Shape, Tensor};

fn add<L: Shape + Broadcast<R>, R: Shape>(a: &mut Tensor<L>, b: &Tensor<R>) {
    *a += b;
}

fn main() {}
