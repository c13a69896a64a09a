//! How many axes there are is not known, so that no number of indices fits.
//!
//! The compiler says: "is not the index of an element of shape `S`"
//! And: "in generic code, add a bound such as `S: HasRank<2>`"
//! Lines: 13, as rustc proposes a bound

use tensor_core::{Shape, Tensor};

fn first<S: Shape>(x: &Tensor<S>) -> f32 {
    x[[0]]
}

fn main() {}
