//! A function over any element type says so: `T: Element`.
//!
//! The compiler says: "`T` is not a type of tensor elements"
//! And: "consider restricting type parameter `T` with trait `Element`"

use tensor_core::{Shape, Tensor};

fn print<S: Shape, T>(_: &Tensor<S, T>) {}

fn main() {}
