//! What a dropout keeps is a mask of `bool`, which has no products.
//!
//! The compiler says: "cannot combine elements of type `bool` with elements of type `{float}`"
//! And: "convert a tensor with `x.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let noise = Tensor::<shape![64, 2048]>::full(0.3);
    let keep = noise.greater(0.5);
    let _ = keep * 2.0;
}
