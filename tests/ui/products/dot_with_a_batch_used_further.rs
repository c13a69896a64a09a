//! `dot` with a weight for each head: the bias and the annotation are not further mistakes.
//!
//! The compiler says: "`dot` takes a matrix or a vector on its right side"
//! And: "for a batch of matrices on both sides use `matmul`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![32, 784]>::ones();
    let weight = Tensor::<shape![8, 784, 512]>::zeros();
    let bias = Tensor::<shape![512]>::zeros();
    let scores: Tensor<shape![8, 32, 512]> = x.dot(&weight) + &bias;
    let _ = scores.softmax::<-1>();
}
