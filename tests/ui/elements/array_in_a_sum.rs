//! An array on the right of an operator, which NumPy takes.
//!
//! The compiler says: "is neither a tensor nor a number"
//! And: "numbers of their element type: `tensor![1.0, 2.0]`, of a `Vec` `Tensor::from_vec(elements)?`"

use tensor_core::{Tensor, shape};

fn shifted(points: &Tensor<shape![1024, 3]>) -> Tensor<shape![1024, 3]> {
    points + [0.5, 0.5, 1.0]
}

fn main() {
    println!("{}", shifted(&Tensor::ones()).sum());
}
