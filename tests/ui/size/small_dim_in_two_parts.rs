//! 1024 is one part: `Dim<1024>`.
//!
//! The compiler says: "`Dim<1000, 24>` is not how a size is spelled: write `dim!(1000 + 24 + 0)`"
//! And: "one part below 10,000, as `Dim<2048>`"
//! Lines: 16, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<1000, 24>]>;
}
