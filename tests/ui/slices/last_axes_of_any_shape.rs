//! The last axis of a shape that may have none.
//!
//! The compiler says: "this slice has more parts than shape `S` has axes"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Shape, Tensor, slice};

fn tail<S: Shape>(x: &Tensor<S>) {
    let _ = x.slice(slice![..., 1..]);
}

fn main() {
    let _ = tail::<tensor_core::shape![1024, 768]>;
}
