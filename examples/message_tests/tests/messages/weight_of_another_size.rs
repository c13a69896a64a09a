//! A weight for images of 28 × 28 pixels, and images that were cut to 27 × 28.
//!
//! The compiler says: "expected `784`, found `756`"

use message_tests::{Batch, scores};
use tensor_core::{Tensor, shape};

fn main() {
    let images = Tensor::ones_shaped(shape![Batch(2), 756]);
    let _ = scores(&images, &Tensor::ones());
}
