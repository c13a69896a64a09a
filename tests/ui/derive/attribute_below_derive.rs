//! `derive` comes first here, and sees the macro.
//!
//! The compiler says: "`derive` cannot be used on items with type macros"

use tensor_core::{Axis, Tensor, shape, shapes};

#[derive(Clone, Debug)]
#[shapes]
struct Embedding<D: Axis> {
    table: Tensor<shape![50257, D]>,
}

fn main() {}
