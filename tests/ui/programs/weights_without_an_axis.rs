//! Weights for each place, which are to be aligned with the channels.
//!
//! The compiler says: "cannot broadcast an axis of size `C` with one of size `N`"

use tensor_core::{Axis, Shape, Tensor, shape};

fn weighted_mean<Lead: Shape, N: Axis, C: Axis>(
    x: &Tensor<shape![Lead.., N, C]>,
    weights: &Tensor<shape![Lead.., N]>,
) -> Tensor<shape![Lead.., C]> {
    let weights = weights.softmax::<-1>();
    (x * weights).sum_axis::<-2>()
}

fn main() {
    let x = Tensor::<shape![4, 1024, 768]>::full(0.5);
    let weights = Tensor::<shape![4, 1024]>::ones();
    println!("{}", weighted_mean(&x, &weights).sum().item());
}
