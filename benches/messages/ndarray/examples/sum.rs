//! `[2, 3] + [2, 4]`

use ndarray::Array2;

fn main() {
    let a = Array2::<f32>::zeros((2, 3));
    let b = Array2::<f32>::zeros((2, 4));
    let sum = a + b;
    println!("{sum}");
}
