//! `dot` takes one matrix; `matmul` takes a batch of them.
//!
//! The compiler says: "`dot` takes a matrix or a vector on its right side, not shape `((((), Dim<8>), Dim<3>), Dim<4>)`"
//! And: "for a batch of matrices on both sides use `matmul`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![8, 2, 3]>::zeros();
    let y = Tensor::<shape![8, 3, 4]>::zeros();
    let _ = x.dot(&y);
}
