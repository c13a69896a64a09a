//! Whether the elements of `S` can be counted is a bound.
//!
//! The compiler says: "the number of elements of shape `S` is not known here"
//! And: "in generic code, add the bound `S: CountElements`"

use tensor_core::{Shape, Tensor};

fn norm<S: Shape>(x: &Tensor<S>) -> Tensor<()> {
    let flat = x.flatten();
    flat.dot(&flat).sqrt()
}

fn main() {}
