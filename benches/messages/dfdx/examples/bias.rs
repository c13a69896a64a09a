//! A layer for ten classes has eleven numbers as its bias.

use dfdx::prelude::*;

fn main() {
    let dev = Cpu::default();
    let x: Tensor<Rank2<32, 784>, f32, _> = dev.zeros();
    let weight: Tensor<Rank2<784, 10>, f32, _> = dev.zeros();
    let bias: Tensor<Rank1<11>, f32, _> = dev.zeros();
    let scores = x.matmul(weight) + bias.broadcast::<Rank2<32, 10>, _>();
    println!("{:?}", scores.array());
}
