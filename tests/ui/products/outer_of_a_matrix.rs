//! `outer` takes two vectors.
//!
//! The compiler says: "`outer` takes two vectors, not shape `(((), Dim<2>), Dim<3>)` and shape `((), Dim<4>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let y = Tensor::<shape![4]>::zeros();
    let _ = x.outer(&y);
}
