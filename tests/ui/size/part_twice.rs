//! Two parts of the same kind.
//!
//! The compiler says: "the parts of `Dim<500, 268>` are not written in order"
//! And: "write `dim!(500 + 268 + 0)`"
//! Lines: 21, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<500, 268>]>;
}
