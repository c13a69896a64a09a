//! A layer for ten classes has eleven numbers as its bias.

use nalgebra::SMatrix;

fn main() {
    let x = SMatrix::<f32, 32, 784>::zeros();
    let weight = SMatrix::<f32, 784, 10>::zeros();
    let bias = SMatrix::<f32, 1, 11>::zeros();
    let mut scores = x * weight;
    for mut row in scores.row_iter_mut() {
        row += bias;
    }
    println!("{scores}");
}
