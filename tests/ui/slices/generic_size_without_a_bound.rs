//! How much is left of an axis of any size.
//!
//! The compiler says: "the size of axis `N` is not known at compile time, so the sliced axis needs a new name"
//!
//! Lines: 15, as the compiler shows the parts and proposes a bound.

use tensor_core::{Axis, Tensor, shape, slice};

fn tail<N: Axis>(x: &Tensor<shape![1024, N]>) {
    let _ = x.slice(slice![.., 1..]);
}

fn main() {
    let _ = tail::<tensor_core::dim!(768)>;
}
