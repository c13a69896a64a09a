//! Six elements into a shape of eight.

use dfdx::prelude::*;

fn main() {
    let dev = Cpu::default();
    let x: Tensor<Rank2<2, 3>, f32, _> = dev.zeros();
    let y = x.reshape::<Rank2<4, 2>>();
    println!("{:?}", y.array());
}
