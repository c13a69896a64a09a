//! The heads are forgotten in the names of the keys.
//!
//! The compiler says: "expected a name for each axis of shape `(((((), Dim<8>), Dim<12>), Dim<1024>), Dim<64>)`, found 3"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let queries = Tensor::<shape![8, 12, 1024, 64]>::zeros();
    let keys = Tensor::<shape![8, 12, 1024, 64]>::zeros();
    let scores = einsum!(batch head i d, batch j d -> batch head i j; queries, keys);
    let _ = scores.softmax::<-1>();
}
