//! 50,257 is fifty thousand and two hundred fifty-seven: `Dim<50000, 257>`.
//!
//! The compiler says: "`50257` is not one part of a size: write `dim!(50257)`"
//! And: "50,257 is `Dim<50000, 257>`"
//! Lines: 16, because the compiler also shows the bound of the type, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<50257>]>;
}
