//! `[2, 3] × [4, 5]`

use nalgebra::SMatrix;

fn main() {
    let a = SMatrix::<f32, 2, 3>::zeros();
    let b = SMatrix::<f32, 4, 5>::zeros();
    let product = a * b;
    println!("{product}");
}
