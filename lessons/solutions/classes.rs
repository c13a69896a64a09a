//! The loss of a classifier: how surprised it is by the right classes. The scores have a row for
//! each example and a column for each class. The first example is of class 0, the second of class
//! 2.

use tensor_core::{Tensor, shape, tensor};
use tensor_nn::losses::cross_entropy;

fn main() {
    let scores: Tensor<shape![2, 3]> = tensor![[9.0, 0.0, 0.0], [0.0, 0.0, 9.0]];

    let classes = tensor![0_i64, 2];
    let loss = cross_entropy(&scores, &classes).expect("classes from 0 to 2");

    assert!(loss.item() < 0.001, "{loss}");
}
