//! Two shapes that are both parameters do not always broadcast: the bound says that they do.
//!
//! The compiler says: "cannot broadcast shape `S` with shape `R`"
//! And: "in generic code, add the bound `S: Broadcast<R>`"

use tensor_core::{Shape, Tensor, zip_with};

fn larger<S: Shape, R: Shape>(x: &Tensor<S>, y: &Tensor<R>) {
    let _ = zip_with(x, y, f32::max);
}

fn main() {}
