//! One mistake in a product: no message about the bias, and later operations.
//!
//! The compiler says: "cannot contract: the last axis of the left side is `Dim<3>`, the first axis of the matrix on the right side is `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let weight = Tensor::<shape![4, 5]>::zeros();
    let bias = Tensor::<shape![5]>::zeros();
    let scores = x.dot(&weight) + &bias;
    println!("{}", scores.transpose().matmul(&x).argmax_axis::<-1>());
}
