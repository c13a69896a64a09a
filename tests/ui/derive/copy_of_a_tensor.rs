//! A tensor owns memory: it is cloned, which is cheap, and not copied.
//!
//! The compiler says: "the trait `Copy` cannot be implemented for this type"

use tensor_core::{Tensor, shape, shapes};

#[shapes]
#[derive(Clone, Copy)]
struct Bias {
    bias: Tensor<shape![2048]>,
}

fn main() {}
