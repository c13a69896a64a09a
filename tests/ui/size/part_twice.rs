//! Two parts of the same kind.
//!
//! The compiler says: "`Dim<500, 268>` is not how a size is spelled: write `dim!(500 + 268 + 0)`"
//! Lines: 16, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<500, 268>]>;
}
