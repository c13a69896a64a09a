//! A field for a matrix is given a vector.
//!
//! The compiler says: "mismatched types"
//! And: "expected `Tensor<(((), Dim<2>), Dim<3>)>`, found `Tensor<((), Dim<3>)>`"

use tensor_core::{Tensor, shape};

struct Layer {
    weight: Tensor<shape![2, 3]>,
}

fn main() {
    let _ = Layer { weight: Tensor::<shape![3]>::zeros() };
}
