//! Two axes of the left side, one of the right side: the lists of `tensordot` have one entry for each
//! pair.
//!
//! The compiler says: "`tensordot` sums over pairs of axes, and these lists have different lengths"

use tensor_core::{Tensor, axes, shape};

fn main() {
    let images = Tensor::<shape![64, 3, 28, 28]>::zeros();
    let filters = Tensor::<shape![28, 28, 128]>::zeros();
    let features = images.tensordot::<axes![-2, -1], axes![0], _>(&filters);
    let _ = features.relu();
}
