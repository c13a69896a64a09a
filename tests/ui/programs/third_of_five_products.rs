//! Five layers in one expression, and the third has 128 inputs where 256 come: one error, there.
//!
//! The compiler says: "the last axis of the left side is `Dim<256>`, the first axis of the matrix on the right side is `Dim<128>`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn forward(
    x: &Tensor<shape![Batch, 784]>,
    one: &Tensor<shape![784, 512]>,
    two: &Tensor<shape![512, 256]>,
    three: &Tensor<shape![128, 64]>,
    four: &Tensor<shape![64, 32]>,
    five: &Tensor<shape![32, 10]>,
) -> Tensor<shape![Batch, 10]> {
    x.dot(one).relu().dot(two).relu().dot(three).relu().dot(four).relu().dot(five)
}

fn main() {}
