//! A function over any shape does not say that there is memory for it.

use nalgebra::{Dim, OMatrix};

fn add<R: Dim, C: Dim>(a: &OMatrix<f32, R, C>, b: &OMatrix<f32, R, C>) {
    let _sum = a + b;
}

fn main() {
    add(&nalgebra::Matrix2::zeros(), &nalgebra::Matrix2::zeros());
}
