//! The axes of words and of hidden units are confused.
//!
//! The compiler says: "`Dim<2048>` elements cannot be chosen of `Dim<1024>`"

use tensor_core::{Tensor, dim, shape};

fn candidates(logits: &Tensor<shape![1024, 50257]>) {
    let _ = logits.topk_smallest::<0, dim!(2048)>();
}

fn main() {}
