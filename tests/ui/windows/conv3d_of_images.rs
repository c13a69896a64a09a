//! Images without an axis of time or depth.
//!
//! The compiler says: "cannot be convolved along three axes with weights of shape"

use tensor_core::{Tensor, shape, windows::Conv3dOptions};

fn main() {
    let images = Tensor::<shape![3, 224, 224]>::zeros();
    let weights = Tensor::<shape![64, 3, 3, 3, 3]>::zeros();
    let features = images.conv3d(&weights, Conv3dOptions::new());
    let _ = features.relu();
}
