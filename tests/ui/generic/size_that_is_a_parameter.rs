//! The compiler does not know that every number `N` is a size; an axis as a parameter is one.
//!
//! The compiler says: "in generic code, take the axis as a type parameter, `A: Axis`"
//! Lines: 16, because the compiler also shows an impl of the trait, and how it came to it.

use tensor_core::{Dim, Tensor, shape};

fn double<const N: usize>(_: &Tensor<shape![Dim<N>]>) {}

fn main() {}
