//! The mean over the features is subtracted from each feature.
//!
//! The compiler says: "cannot broadcast an axis of size `D` with one of size `N`"

use tensor_core::{Axis, Tensor, shape};

fn standardise<N: Axis, D: Axis>(x: &Tensor<shape![N, D]>) -> Tensor<shape![N, D]> {
    let mean = x.mean_axis::<1>();
    let std = x.std_axis::<0>();
    (x - mean) / (std + 1e-8)
}

fn main() {
    let x = Tensor::<shape![1024, 30]>::from_fn(|[i, j]| ((i * (j + 1)) % 17) as f32);
    let z = standardise(&x);
    println!("{}", z.var_axis::<0>());
}
