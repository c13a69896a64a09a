//! A function over any element type says so: `T: Element`.
//!
//! The compiler says: "`T` is not a type of tensor elements"
//! And: "consider restricting type parameter `T` with trait `Element`"
//! Lines: 16, because the compiler also shows the bound of the type, and proposes one.

use tensor_core::{Shape, Tensor};

fn print<S: Shape, T>(_: &Tensor<S, T>) {}

fn main() {}
