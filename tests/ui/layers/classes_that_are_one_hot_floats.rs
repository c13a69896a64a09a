//! Targets as NumPy's `eye(1024)[classes]` gives them: rows of floats, a one and zeros. One error, about the rows.
//!
//! The compiler says: "go with classes of the same shape, not of shape"
//! And: "`argmax_axis::<-1>()` makes them of one-hot rows"

use tensor_core::{Tensor, shape};
use tensor_nn::losses::cross_entropy;

fn loss(scores: &Tensor<shape![32, 1024]>, targets: &Tensor<shape![32, 1024]>) -> f32 {
    cross_entropy(scores, targets).unwrap().item()
}

fn main() {
    println!("{}", loss(&Tensor::zeros(), &Tensor::ones()));
}
