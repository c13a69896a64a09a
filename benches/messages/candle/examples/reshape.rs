//! Six elements into a shape of eight.

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let x = Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?;
    let y = x.reshape((4, 2))?;
    println!("{y}");
    Ok(())
}
