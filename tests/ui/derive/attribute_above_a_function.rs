//! Functions need no help: `shape!` is a type there.
//!
//! The compiler says: "`#[shapes]` is for structs and enums: remove it, `shape!` needs it nowhere else [T710]"

use tensor_core::{Tensor, shape, shapes};

#[shapes]
fn bias() -> Tensor<shape![4096]> {
    Tensor::zeros()
}

fn main() {
    bias();
}
