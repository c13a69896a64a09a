//! Both sizes of a split are given, and multiply to 1,024 instead of 768.
//!
//! The compiler says: "`rearrange!` keeps every element: `Dim<768>` is not `Dim<1024>`"
//! And: "one size of the names in parentheses may be left out"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let x = Tensor::<shape![8, 1024, 768]>::zeros();
    let heads = rearrange!(b s (h d) -> b h s d; &x, h = 16, d = 64);
    let _ = heads.softmax::<-1>();
}
