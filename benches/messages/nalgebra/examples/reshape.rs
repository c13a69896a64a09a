//! Six elements into a shape of eight.

use nalgebra::{Const, SMatrix};

fn main() {
    let x = SMatrix::<f32, 2, 3>::zeros();
    let y = x.reshape_generic(Const::<4>, Const::<2>);
    println!("{y}");
}
