//! Softmax regression, where the bias has 11 numbers for 10 digits: an error for each 10 with 11.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<10>` with one of size `Dim<11>`"
//! And: "expected `11`, found `10`"
//! Errors: 2, one where the bias is added and one where its gradient is made.

use tensor_core::{Tensor, axis, select, shape};

axis!(Batch);

type Images = Tensor<shape![Batch, 64]>;

struct SoftmaxRegression {
    weight: Tensor<shape![64, 10]>,
    bias: Tensor<shape![11]>,
}

impl SoftmaxRegression {
    fn scores(&self, images: &Images) -> Tensor<shape![Batch, 10]> {
        images.dot(&self.weight) + &self.bias
    }

    fn gradient(&self, images: &Images, is_label: &Tensor<shape![Batch, 10], bool>) -> Self {
        let probability = self.scores(images).softmax::<-1>();
        let by_scores = select(is_label, &probability - 1.0, &probability);
        let weight = images.transpose().matmul(&by_scores);
        Self { weight, bias: by_scores.sum_axis::<0>() }
    }
}

fn main() {}
