//! The axis `w` is forgotten in the result.
//!
//! The compiler says: "the result has no axis `w`: write it after `->`, or sum over it by `einsum!`"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let images = Tensor::<shape![32, 224, 224, 3]>::zeros();
    let _ = rearrange!(b h w c -> b c h; images);
}
