//! `derive` comes first here, and sees the macro.
//!
//! The compiler says: "`derive` cannot be used on items with type macros"

use tensor_core::{Tensor, shape, shapes};

#[derive(Clone, Debug)]
#[shapes]
struct Embedding {
    table: Tensor<shape![50257, 768]>,
}

fn main() {}
