//! The result is annotated with its axes in another order: one error, though two axes differ.
//!
//! The compiler says: "mismatched types"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let (x, w) = (Tensor::<shape![1024, 768]>::zeros(), Tensor::<shape![768, 2048]>::zeros());
    let _: Tensor<shape![2048, 1024]> = einsum!(i k, k j -> i j; &x, &w);
}
