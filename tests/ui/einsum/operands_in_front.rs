//! The operands in front, as in other functions.
//!
//! The compiler says: "the operands come after a semicolon"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let weight = Tensor::<shape![768, 3072]>::zeros();
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = einsum!(x, weight, m k, k n -> m n);
}
