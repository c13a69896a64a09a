//! A `Vec` in a literal.
//!
//! The compiler says: "a `Vec` is not an element: write `Tensor::from_vec(elements)?`"

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let prices: Tensor<shape![4]> = tensor!(vec![1.0, 2.0, 3.0, 4.0]);
    println!("{}", prices.mean());
}
