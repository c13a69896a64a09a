//! Functions need no help: `shape!` is a type there.
//!
//! The compiler says: "`#[shapes]` stands above a struct or an enum: remove it, `shape!` needs it nowhere else [T710]"

use tensor_core::{Tensor, shape, shapes};

#[shapes]
fn bias() -> Tensor<shape![4096]> {
    Tensor::zeros()
}

fn main() {
    bias();
}
