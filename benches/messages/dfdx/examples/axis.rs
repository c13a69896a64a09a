//! A matrix has no axis 2.

use dfdx::prelude::*;

fn main() {
    let dev = Cpu::default();
    let x: Tensor<Rank2<2, 3>, f32, _> = dev.zeros();
    let sums = x.sum::<_, Axis<2>>();
    println!("{:?}", sums.array());
}
