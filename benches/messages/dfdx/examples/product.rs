//! `[2, 3] × [4, 5]`

use dfdx::prelude::*;

fn main() {
    let dev = Cpu::default();
    let a: Tensor<Rank2<2, 3>, f32, _> = dev.zeros();
    let b: Tensor<Rank2<4, 5>, f32, _> = dev.zeros();
    let product = a.matmul(b);
    println!("{:?}", product.array());
}
