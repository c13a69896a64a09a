//! Parts that are zero are left out.
//!
//! The compiler says: "`Dim<0, 48>` is not how a size is spelled: write `dim!(0 + 48 + 0)`"
//! Lines: 16, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<0, 48>]>;
}
