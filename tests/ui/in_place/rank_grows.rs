//! The result would have two axes, the tensor on the left has one.
//!
//! The compiler says: "an in-place result cannot grow: the tensor on the left lacks the axes `((), One)`"
//! And: "the tensor that is written to keeps its shape"

use tensor_core::{Tensor, shape};

fn main() {
    let mut a = Tensor::<shape![3]>::zeros();
    let b = Tensor::<shape![1, 3]>::ones();
    a -= b;
}
