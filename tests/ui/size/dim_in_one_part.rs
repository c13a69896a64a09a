//! 2048 is two thousand and forty-eight: `Dim<2000, 48>`.
//!
//! The compiler says: "`2048` is not one part of a size: write `dim!(2048)`"
//! And: "`Dim<2000, 48>` is 2048"
//! Lines: 21, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<2048>]>;
}
