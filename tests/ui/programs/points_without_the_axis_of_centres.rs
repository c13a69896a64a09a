//! Points minus centres, without an axis for the centres.
//!
//! The compiler says: "cannot broadcast an axis of size `N` with one of size `K`"

use tensor_core::{Axis, Tensor, axis, shape};

axis!(Points);

fn distances<N: Axis, K: Axis, D: Axis>(
    points: &Tensor<shape![N, D]>,
    centres: &Tensor<shape![K, D]>,
) -> Tensor<shape![N, K]> {
    let difference = points - centres;
    difference.square().sum_axis::<-1>()
}

fn assign<N: Axis, K: Axis, D: Axis>(
    points: &Tensor<shape![N, D]>,
    centres: &Tensor<shape![K, D]>,
) -> Tensor<shape![N], i64> {
    distances(points, centres).argmin_axis::<-1>()
}

fn main() {
    let points = Tensor::from_fn_shaped(shape![Points(5000), 3], |[i, c]| ((i * (c + 1)) % 255) as f32);
    let centres = Tensor::<shape![16, 3]>::from_fn(|[k, _]| k as f32 * 16.0);
    println!("{}", assign(&points, &centres).sum().item());
}
