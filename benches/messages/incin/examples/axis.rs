//! A matrix has no axis 2.

use incin::prelude::*;

fn main() -> Result<()> {
    let x: Tensor<s![2, 3], DefaultBackend> = Tensor::zeros(())?;
    let sums = x.sum(axis!(2))?;
    println!("{sums}");
    Ok(())
}
