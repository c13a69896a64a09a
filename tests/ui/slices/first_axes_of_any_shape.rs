//! The first axis of a shape of any rank.
//!
//! The compiler says: "the rank of `S` is not known here"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Shape, Tensor, slice};

fn tail<S: Shape>(x: &Tensor<S>) {
    let _ = x.slice(slice![1..]);
}

fn main() {
    let _ = tail::<tensor_core::shape![1024, 768]>;
}
