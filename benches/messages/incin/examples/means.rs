//! The mean of each row is taken from the row: `[4, 3] - [4]`

use incin::prelude::*;

fn main() -> Result<()> {
    let rows: Tensor<s![4, 3], DefaultBackend> = Tensor::ones(())?;
    let means = rows.mean(axis!(1))?;
    let centred = &rows - &means;
    println!("{centred}");
    Ok(())
}
