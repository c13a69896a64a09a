//! Weights of `f64`, activations of `f32`.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `f64`"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let weight = Tensor::<shape![768, 3072], f64>::zeros();
    let x = Tensor::<shape![1024, 768], f32>::zeros();
    let _ = einsum!(m k, k n -> m n; x, weight);
}
