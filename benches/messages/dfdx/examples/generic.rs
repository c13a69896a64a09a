//! A function over any shape and device does not say what the device computes.

use dfdx::prelude::*;

fn add<S: Shape, D: Storage<f32>>(a: Tensor<S, f32, D>, b: Tensor<S, f32, D>) {
    let _sum = a + b;
}

fn main() {
    let dev = Cpu::default();
    add::<Rank0, Cpu>(dev.zeros(), dev.zeros());
}
