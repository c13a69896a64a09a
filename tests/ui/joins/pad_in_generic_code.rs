//! A frame around matrices, after any leading axes: their sizes grow by static amounts.
//!
//! The compiler says: "add a bound such as `S: PadBy<shape![1], shape![1]>`"
//! Lines: 13, as rustc proposes a bound.

use tensor_core::{Padding, Shape, Tensor, shape};

fn framed<S: Shape>(x: &Tensor<S>) {
    let _ = x.pad::<shape![1, 1], shape![1, 1]>(Padding::Edge);
}

fn main() {}
