//! An equation in quotes, as NumPy and PyTorch have it.
//!
//! The compiler says: "write the names without quotes, as in `einsum!(b i d, b j d -> b i j; &q, &k)`"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let weight = Tensor::<shape![768, 3072]>::zeros();
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = einsum!("ik, kj" -> i j; x, weight);
}
