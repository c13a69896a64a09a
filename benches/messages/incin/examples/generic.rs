//! A function over any two shapes does not say that they broadcast.

use incin::prelude::*;

fn add<L: Shape, R: Shape>(a: &Tensor<L, DefaultBackend>, b: &Tensor<R, DefaultBackend>) {
    let _sum = a + b;
}

fn main() -> Result<()> {
    let one: Tensor<s![1], DefaultBackend> = Tensor::zeros(())?;
    add(&one, &one);
    Ok(())
}
