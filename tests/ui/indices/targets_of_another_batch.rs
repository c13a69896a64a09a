//! Each row of the logits has a target, and there are targets for half of them.
//!
//! The compiler says: "along axis -1, indices choose where all other axes are equal"

use tensor_core::{Tensor, shape};

fn losses(logits: &Tensor<shape![1024, 50257]>, targets: &Tensor<shape![512, 1], i64>) {
    let _ = logits.log_softmax::<-1>().take_along_axis::<-1, _>(targets);
}

fn main() {}
