//! Forty-eight and two thousand.
//!
//! The compiler says: "`Dim<48, 2000>` is not how a size is spelled: write `dim!(48 + 2000 + 0)`"
//! Lines: 16, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<48, 2000>]>;
}
