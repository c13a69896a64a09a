//! Images without an axis of time or depth.
//!
//! The compiler says: "has no three axes to pool"

use tensor_core::{Tensor, shape, windows::Pool3d};

fn main() {
    let images = Tensor::<shape![224, 224]>::zeros();
    let smaller = images.max_pool3d(Pool3d::new::<2>());
    let _ = smaller.mean();
}
