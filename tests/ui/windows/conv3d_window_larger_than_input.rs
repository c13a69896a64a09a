//! A window of 7 frames on a clip of 5.
//!
//! The compiler says: "a window of size `Dim<7>` is larger than its padded input, an axis of size `Dim<5>`"

use tensor_core::{Tensor, shape, windows::Conv3dOptions};

fn main() {
    let clips = Tensor::<shape![8, 3, 5, 112, 112]>::zeros();
    let weights = Tensor::<shape![64, 3, 7, 7, 7]>::zeros();
    let features = clips.conv3d(&weights, Conv3dOptions::new());
    let _ = features.relu();
}
