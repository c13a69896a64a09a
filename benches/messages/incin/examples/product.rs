//! `[2, 3] × [4, 5]`

use incin::prelude::*;

fn main() -> Result<()> {
    let a: Tensor<s![2, 3], DefaultBackend> = Tensor::zeros(())?;
    let b: Tensor<s![4, 5], DefaultBackend> = Tensor::zeros(())?;
    let product = a.matmul(&b)?;
    println!("{product}");
    Ok(())
}
