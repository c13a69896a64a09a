//! Distances between two lists of points, both unsqueezed at the same place: one error, at the difference.
//!
//! The compiler says: "cannot broadcast an axis of size `N` with one of size `M`"

use tensor_core::{Axis, Tensor, shape};

fn distances<N: Axis, M: Axis, D: Axis>(
    a: &Tensor<shape![N, D]>,
    b: &Tensor<shape![M, D]>,
) -> Tensor<shape![N, M]> {
    let difference = a.unsqueeze::<1>() - b.unsqueeze::<1>();
    (&difference * &difference).sum_axis::<-1>()
}

fn main() {}
