//! A sum of products over two axes that have other letters in the weights.
//!
//! The compiler says: "an axis of this name is `Dim<1024>` before, and `Dim<4096>` here"

use tensor_core::{Tensor, einsum, shape};

/// Grouped experts: every expert has its own weights.
fn experts(
    x: &Tensor<shape![8, 256, 1024]>,
    w: &Tensor<shape![8, 1024, 4096]>,
) -> Tensor<shape![8, 256, 4096]> {
    einsum!(e t i, e o i -> e t o; x, w)
}

fn gate(x: &Tensor<shape![256, 1024]>, w: &Tensor<shape![1024, 8]>) -> Tensor<shape![256, 8]> {
    x.dot(w).softmax::<-1>()
}

fn main() {
    let x = Tensor::full(0.01);
    let w = Tensor::full(0.01);
    let y = experts(&x, &w);
    println!("{}", y.mean());
    println!("{}", gate(&Tensor::ones(), &Tensor::ones()).max());
}
