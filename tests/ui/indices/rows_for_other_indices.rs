//! Two rows for three indices.
//!
//! The compiler says: "mismatched types"
//! And: "expected `3`, found `2`"
//! Lines: 15, because E0308 also shows the function that is called.

use tensor_core::{Tensor, shape, tensor};

fn changed(x: &Tensor<shape![2048, 1024]>, rows: &Tensor<shape![2, 1024]>) {
    let _ = x.index_add::<0, _>(&tensor![0, 1, 2], rows);
}

fn main() {}
