//! A generic function without the bound that its axis is long enough.
//!
//! The compiler says: "the size of axis `C` is not known at compile time"

use tensor_core::{Axis, Tensor, dim, shape};

fn best<C: Axis>(scores: &Tensor<shape![1024, C]>) {
    let _ = scores.topk::<-1, dim!(5)>();
}

fn main() {}
