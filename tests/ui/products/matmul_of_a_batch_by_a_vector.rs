//! Seven matrices of two rows and three columns by a vector of two: it is summed over the columns.
//!
//! The compiler says: "the last axis of the left side is `Dim<3>`, the only axis of the right side is `Dim<2>`"
//! And: "`[..l, k] × [k]` sums over `k`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![7, 2, 3]>::zeros();
    let b = Tensor::<shape![2]>::zeros();
    let _ = a.matmul(&b);
}
