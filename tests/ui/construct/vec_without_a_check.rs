//! The length of a `Vec` is known only at run time, so that there is no conversion from it without a `Result`.
//!
//! The compiler says: "the trait `From<Vec<{float}>>` is not implemented for `Tensor<_, _>`"

use tensor_core::{Tensor, shape};

fn main() {
    let prices: Tensor<shape![4]> = Tensor::from(vec![1.0, 2.0, 3.0, 4.0]);
    println!("{}", prices.mean());
}
