//! Keys with 32 features instead of 64: the axis `d` has two sizes.
//!
//! The compiler says: "an axis of this name is `Dim<64>` before, and `Dim<32>` here"
//! And: "all axes of one name have one size"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let queries = Tensor::<shape![8, 12, 1024, 64]>::zeros();
    let keys = Tensor::<shape![8, 12, 1024, 32]>::zeros();
    let scores = einsum!(batch head i d, batch head j d -> batch head i j; &queries, &keys);
    let _ = scores.softmax::<-1>();
}
