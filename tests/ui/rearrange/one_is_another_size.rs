//! `1` is written for the channels of a picture that has three.
//!
//! The compiler says: "`1` matches an axis of size `One`, and this axis is `Dim<3>`"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let images = Tensor::<shape![32, 3, 224, 224]>::zeros();
    let gray = rearrange!(b 1 h w -> b h w; images);
    let _ = gray.mean();
}
