//! A new axis has a name, as in `repeat` of einops.
//!
//! The compiler says: "the operand has no axis `c`: a new axis of size 1 is `1`, which `expand` stretches"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let image = Tensor::<shape![224, 224]>::zeros();
    let _ = rearrange!(h w -> h w c; image);
}
