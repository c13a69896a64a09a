//! `[2, 3] + [2, 4]`

use incin::prelude::*;

fn main() -> Result<()> {
    let a: Tensor<s![2, 3], DefaultBackend> = Tensor::zeros(())?;
    let b: Tensor<s![2, 4], DefaultBackend> = Tensor::zeros(())?;
    let sum = &a + &b;
    println!("{sum}");
    Ok(())
}
