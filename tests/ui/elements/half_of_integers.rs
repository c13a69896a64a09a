//! Integers times `0.5`: integers are not halved, floats are.
//!
//! The compiler says: "cannot combine elements of type `i32` with elements of type `{float}`"
//! And: "convert a tensor with `x.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let counts = Tensor::<shape![4096], i32>::arange();
    let _ = &counts * 0.5;
}
