//! Filters for images of 32 × 32, images of 28 × 28.
//!
//! The compiler says: "`tensordot` sums over axis -1 of the left side, `Dim<28>`, with axis 1 of the right side, `Dim<32>`"

use tensor_core::{Tensor, axes, shape};

fn main() {
    let images = Tensor::<shape![64, 3, 28, 28]>::zeros();
    let filters = Tensor::<shape![28, 32, 128]>::zeros();
    let features = images.tensordot::<axes![-2, -1], axes![0, 1], _>(&filters);
    let _ = features.relu();
}
