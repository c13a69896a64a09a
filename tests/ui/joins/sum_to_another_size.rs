//! The gradient of a bias of 512 is no sum of results of 768.
//!
//! The compiler says: "cannot expand an axis of size `Dim<512>` to `Dim<768>`"

use tensor_core::{Tensor, shape};

fn main() {
    let gradient = Tensor::<shape![1024, 768]>::zeros();
    let _ = gradient.sum_to::<shape![512]>();
}
