//! The targets lack the axis along which they choose: `unsqueeze` adds it.
//!
//! The compiler says: "along axis -1, indices choose where all other axes are equal"

use tensor_core::{Tensor, shape};

fn losses(logits: &Tensor<shape![1024, 50257]>, targets: &Tensor<shape![1024], i64>) {
    let _ = logits.log_softmax::<-1>().take_along_axis::<-1, _>(targets);
}

fn main() {}
