//! Six elements into a shape of eight.

use ndarray::Array2;

fn main() {
    let x = Array2::<f32>::zeros((2, 3));
    let y = x.into_shape_with_order((4, 2)).unwrap();
    println!("{y}");
}
