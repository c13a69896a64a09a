//! A layer for ten classes has eleven numbers as its bias.

use ndarray::{Array1, Array2};

fn main() {
    let x = Array2::<f32>::zeros((32, 784));
    let weight = Array2::<f32>::zeros((784, 10));
    let bias = Array1::<f32>::zeros(11);
    let scores = x.dot(&weight) + &bias;
    println!("{scores}");
}
