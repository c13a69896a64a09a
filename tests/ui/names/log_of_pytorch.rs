//! `log` is `ln`, and not `log2`, which has the more similar name.
//!
//! The compiler says: "NumPy's `log` is `x.ln()`"

use tensor_core::{Tensor, shape};

fn entropy(probabilities: &Tensor<shape![64, 50257]>) -> Tensor<shape![64]> {
    -(probabilities * probabilities.log()).sum_axis::<-1>()
}

fn main() {
    println!("{}", entropy(&Tensor::full(0.5)));
}
