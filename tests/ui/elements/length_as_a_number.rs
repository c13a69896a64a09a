//! A mean by hand: `len` is a `usize`, which is no type of elements.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `usize`"
//! And: "a number with `as f32`"

use tensor_core::{Tensor, shape};

fn main() {
    let losses = Tensor::<shape![2048]>::ones();
    let _ = losses.sum() / losses.len();
}
