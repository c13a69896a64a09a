//! No `->`: the result would be guessed.
//!
//! The compiler says: "the axes of the result come after `->`"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let weight = Tensor::<shape![768, 3072]>::zeros();
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = einsum!(m k, k n; x, weight);
}
