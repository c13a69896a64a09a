//! A layer for ten classes has eleven numbers as its bias.

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let x = Tensor::zeros((32, 784), DType::F32, &Device::Cpu)?;
    let weight = Tensor::zeros((784, 10), DType::F32, &Device::Cpu)?;
    let bias = Tensor::zeros(11, DType::F32, &Device::Cpu)?;
    let scores = x.matmul(&weight)?.broadcast_add(&bias)?;
    println!("{scores}");
    Ok(())
}
