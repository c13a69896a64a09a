//! A mask of the places is aligned with the channels, for any number of both.
//!
//! The compiler says: "cannot broadcast an axis of size `N` with one of size `C`"

use tensor_core::{Axis, Shape, Tensor, select, shape};

fn dropout<Lead: Shape, N: Axis, C: Axis>(
    x: &Tensor<shape![Lead.., N, C]>,
    keep: &Tensor<shape![N], bool>,
) -> Tensor<shape![Lead.., N, C]> {
    select(keep, x / 0.9, 0.0)
}

fn main() {
    let x = Tensor::<shape![2, 1024, 768]>::ones();
    println!("{}", dropout(&x, &Tensor::full(true)).sum().item());
}
