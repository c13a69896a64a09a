//! A function over any two shapes does not say that they broadcast.

use ndarray::{Array, Dimension};

fn add<L: Dimension, R: Dimension>(a: &Array<f32, L>, b: &Array<f32, R>) {
    let _sum = a + b;
}

fn main() {
    add(&ndarray::arr0(1.0), &ndarray::arr0(2.0));
}
