//! Elements of any type cannot be added: `bool` is one of them.
//!
//! The compiler says: "elements of type `T` are not numbers"
//! And: "consider further restricting type parameter `T` with trait `Number`"

use tensor_core::{Element, Shape, Tensor};

fn double<S: Shape, T: Element>(x: &Tensor<S, T>) {
    let _ = x + x;
}

fn main() {}
