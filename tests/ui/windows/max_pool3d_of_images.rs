//! Images without an axis of time or depth.
//!
//! The compiler says: "is not known to have three axes to pool"
//! And: "expected `[..lead, d, h, w]`"

use tensor_core::{Tensor, shape, windows::Pool3dOptions};

fn main() {
    let images = Tensor::<shape![224, 224]>::zeros();
    let smaller = images.max_pool3d(Pool3dOptions::new::<2>());
    let _ = smaller.mean();
}
