//! The mean of each row is taken from the row: `[4, 3] - [4]`

use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let rows = Tensor::ones((4, 3), DType::F32, &Device::Cpu)?;
    let centred = rows.broadcast_sub(&rows.mean(1)?)?;
    println!("{centred}");
    Ok(())
}
