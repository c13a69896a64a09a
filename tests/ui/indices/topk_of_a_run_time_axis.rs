//! How many elements a batch has is known at run time.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"

use tensor_core::{Tensor, axis, dim, shape};

axis!(Batch);

fn best(scores: &Tensor<shape![Batch, 10]>) {
    let _ = scores.topk::<0, dim!(5)>();
}

fn main() {}
