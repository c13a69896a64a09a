//! The sizes of a reshape in parentheses, as in PyTorch.
//!
//! The compiler says: "this method takes 0 arguments but 4 arguments were supplied"
//! And: "x.reshape::<shape![2, 3]>()"
//! Lines: 20, as rustc points at each argument and shows a call.

use tensor_core::{Tensor, shape};

fn heads(x: &Tensor<shape![8, 128, 768]>) -> Tensor<shape![8, 12, 128, 64]> {
    let split: Tensor<shape![8, 128, 12, 64]> = x.reshape(8, 128, 12, 64);
    split.swap_axes::<1, 2>()
}

fn main() {}
