//! Two shapes that are both parameters do not always broadcast: the bound says that they do.
//!
//! The compiler says: "cannot broadcast shape `L` with shape `R`"
//! And: "in generic code, add the bound `L: Broadcast<R>`"

use tensor_core::{Shape, Tensor};

fn larger<L: Shape, R: Shape>(x: &Tensor<L>, y: &Tensor<R>) {
    let _ = x.maximum(y);
}

fn main() {}
