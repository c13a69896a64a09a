//! A vector has a shape of one axis, `shape![3]`, which is not the axis itself.
//!
//! The compiler says: "`Dim<3>` is not a shape"
//! Lines: 13, because the compiler also shows an impl of the trait, and how it came to it.

use tensor_core::{Tensor, dim};

fn main() {
    let _: Tensor<dim!(3)>;
}
