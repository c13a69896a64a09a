//! A layer for ten classes has eleven numbers as its bias.

use incin::prelude::*;

fn main() -> Result<()> {
    let x: Tensor<s![32, 784], DefaultBackend> = Tensor::zeros(())?;
    let weight: Tensor<s![784, 10], DefaultBackend> = Tensor::zeros(())?;
    let bias: Tensor<s![11], DefaultBackend> = Tensor::zeros(())?;
    let scores = &x.matmul(&weight)? + &bias;
    println!("{scores}");
    Ok(())
}
