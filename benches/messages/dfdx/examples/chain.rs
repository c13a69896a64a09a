//! Five layers, of which the fourth takes 64 numbers where the third gives 128.

use dfdx::prelude::*;

type Model = (
    (Linear<784, 512>, ReLU),
    (Linear<512, 256>, ReLU),
    (Linear<256, 128>, ReLU),
    (Linear<64, 32>, ReLU),
    Linear<32, 10>,
);

fn main() {
    let dev = Cpu::default();
    let model = dev.build_module::<Model, f32>();
    let x: Tensor<Rank2<32, 784>, f32, _> = dev.zeros();
    let scores = model.forward(x);
    println!("{:?}", scores.array());
}
