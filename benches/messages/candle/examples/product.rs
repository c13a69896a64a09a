//! `[2, 3] × [4, 5]`

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let a = Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?;
    let b = Tensor::zeros((4, 5), DType::F32, &Device::Cpu)?;
    let product = a.matmul(&b)?;
    println!("{product}");
    Ok(())
}
