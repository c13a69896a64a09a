//! `[2, 3] × [4, 5]`

use ndarray::Array2;

fn main() {
    let a = Array2::<f32>::zeros((2, 3));
    let b = Array2::<f32>::zeros((4, 5));
    let product = a.dot(&b);
    println!("{product}");
}
