//! A matrix has no axis 2.

use ndarray::{Array2, Axis};

fn main() {
    let x = Array2::<f32>::zeros((2, 3));
    let sums = x.sum_axis(Axis(2));
    println!("{sums}");
}
