//! The size of a window is given as PyTorch takes it.
//!
//! The compiler says: "this function takes 0 arguments but 1 argument was supplied"
//! And: "Pool2dOptions::new::<2>()"
//! Lines: 16, as rustc shows where the function is.

use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, shape};

fn halved(x: &Tensor<shape![8, 64, 64]>) -> Tensor<shape![8, 32, 32]> {
    x.max_pool2d(Pool2dOptions::new(2))
}

fn main() {}
