//! `[2, 3] + [2, 4]`

use nalgebra::SMatrix;

fn main() {
    let a = SMatrix::<f32, 2, 3>::zeros();
    let b = SMatrix::<f32, 2, 4>::zeros();
    let sum = a + b;
    println!("{sum}");
}
