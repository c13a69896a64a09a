//! A layer for ten classes has eleven numbers as its bias.

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![32, 784]>::zeros();
    let weight = Tensor::<shape![784, 10]>::zeros();
    let bias = Tensor::<shape![11]>::zeros();
    let scores = x.dot(&weight) + &bias;
    println!("{scores}");
}
