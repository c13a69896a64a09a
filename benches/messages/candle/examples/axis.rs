//! A matrix has no axis 2.

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let x = Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?;
    let sums = x.sum(2)?;
    println!("{sums}");
    Ok(())
}
