//! `[2, 3] + [2, 4]`

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let a = Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?;
    let b = Tensor::zeros((2, 4), DType::F32, &Device::Cpu)?;
    let sum = (a + b)?;
    println!("{sum}");
    Ok(())
}
