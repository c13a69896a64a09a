//! `[2, 3] + [2, 4]`

use dfdx::prelude::*;

fn main() {
    let dev = Cpu::default();
    let a: Tensor<Rank2<2, 3>, f32, _> = dev.zeros();
    let b: Tensor<Rank2<2, 4>, f32, _> = dev.zeros();
    let sum = a + b;
    println!("{:?}", sum.array());
}
