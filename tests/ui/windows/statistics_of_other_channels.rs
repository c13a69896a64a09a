//! The variance is that of the layer before.
//!
//! The compiler says: "expected `64`, found `128`"
//! Lines: 15, as rustc shows where the bound of the method is declared.

use tensor_core::{Tensor, shape};

fn normalised(
    x: &Tensor<shape![32, 64, 28, 28]>,
    mean: &Tensor<shape![64]>,
    variance: &Tensor<shape![128]>,
) -> Tensor<shape![32, 64, 28, 28]> {
    x.batch_norm::<1>(mean, variance, 1e-5)
}

fn main() {}
