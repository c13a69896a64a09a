//! Six elements into a shape of eight.

use incin::prelude::*;

fn main() -> Result<()> {
    let x: Tensor<s![2, 3], DefaultBackend> = Tensor::zeros(())?;
    let y = x.reshape(shape![4, 2])?;
    println!("{y}");
    Ok(())
}
