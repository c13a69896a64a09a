//! The result has an axis that no operand has.
//!
//! The compiler says: "no operand has an axis `n`"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let weight = Tensor::<shape![768, 3072]>::zeros();
    let x = Tensor::<shape![1024, 768]>::zeros();
    let y = einsum!(m k, k out -> m n; x, weight);
    let _ = y.relu();
}
