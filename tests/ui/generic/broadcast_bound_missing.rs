//! Two shapes that may be anything need not broadcast.
//!
//! The compiler says: "cannot broadcast shape `L` with shape `R`"
//! And: "add the bound `L: Broadcast<R>`"

use tensor_core::{Shape, Tensor};

fn add<L: Shape, R: Shape>(a: &Tensor<L>, b: &Tensor<R>) {
    let _ = a + b;
}

fn main() {}
