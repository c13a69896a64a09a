//! A `Vec` on the right of an operator.
//!
//! The compiler says: "is neither a tensor nor a number"
//! And: "of a `Vec` `Tensor::from_vec(elements)?`"

use tensor_core::{Tensor, shape};

fn weighted(counts: &Tensor<shape![4]>, weights: Vec<f32>) -> Tensor<shape![4]> {
    counts * weights
}

fn main() {
    println!("{}", weighted(&Tensor::ones(), vec![0.1, 0.2, 0.3, 0.4]));
}
