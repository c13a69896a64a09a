//! Parts that are zero are left out.
//!
//! The compiler says: "the parts of `Dim<0, 48>` are not written in order"
//! Lines: 21, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<0, 48>]>;
}
