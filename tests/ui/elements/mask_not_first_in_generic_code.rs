//! The same for any shape and element type.
//!
//! The compiler says: "`&Tensor<S, T>` is not a mask: its elements are not `bool`"
//! And: "`select` takes the mask first, `select(mask, then, otherwise)`"
//! Lines: 14, as the compiler proposes a bound, which no type meets

use tensor_core::{Float, Shape, Tensor, select};

fn rectified<S: Shape, T: Float>(x: &Tensor<S, T>) -> Tensor<S, T> {
    select(x, x.greater(T::ZERO), T::ZERO)
}

fn main() {}
