//! Gradients with respect to a tensor that is given away, where a reference is wanted.
//!
//! The compiler says: "is not a reference to a tensor"
//! And: "consider borrowing here"
//! Lines: 13, as rustc shows the bound of the function.

use tensor_core::{Tensor, shape};

fn slope(x: Tensor<shape![4096]>) -> Tensor<shape![4096]> {
    let x = x.requires_grad();
    let loss = x.tanh().sum();
    loss.gradients(x)
}

fn main() {
    println!("{}", slope(Tensor::ones()));
}
