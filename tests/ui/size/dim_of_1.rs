//! Size 1 stretches, so it has a separate type.
//!
//! The compiler says: "size 1 is not `Dim<1>` but `One`, the size that stretches"
//! And: "write `One` or `dim!(1)`"
//! Lines: 16, because the compiler also shows an impl of the trait, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<1>]>;
}
