//! A shape is made of axes, and `f32` is none.
//!
//! The compiler says: "`f32` is not the size of an axis"
//! Lines: 26, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![f32, 3]>;
}
