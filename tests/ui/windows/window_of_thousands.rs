//! A window of more elements than an option of a type has. The message does not propose a size of an axis,
//! which an option does not take.
//!
//! The compiler says: "a stride, dilation, window or number of groups is from 1 to 9,999, not 12345"
//! And: "[T806]"

use tensor_core::{Tensor, shape, windows::Pool1dOptions};

fn main() {
    let sound: Tensor<shape![48000]> = Tensor::zeros();
    let _ = sound.max_pool1d(Pool1dOptions::new::<12345>());
}
