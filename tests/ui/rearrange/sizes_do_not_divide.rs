//! Twelve heads of 770 features: the features of a head are no whole number.
//!
//! The compiler says: "`rearrange!` keeps every element: `Dim<770>` is not a multiple of `Dim<12>`"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let x = Tensor::<shape![8, 1024, 770]>::zeros();
    let heads = rearrange!(b s (h d) -> b h s d; &x, h = 12);
    let _ = heads.softmax::<-1>();
}
