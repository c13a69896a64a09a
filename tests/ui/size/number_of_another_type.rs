//! A shape is made of axes, and `f32` is none.
//!
//! The compiler says: "`f32` is not the size of an axis"
//! Lines: 16, because the compiler also shows an impl of the trait, and how it came to it.

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![f32, 3]>;
}
