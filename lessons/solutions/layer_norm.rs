//! Layer normalisation: each row is brought to mean 0 and variance 1, and then scaled. The function
//! is for rows of any length `A`, below any leading axes: `Lead` may be nothing, a batch, or a batch
//! of sentences.
//!
//! Mean and variance have one number for each row. To be aligned with the rows again, they keep
//! the axis that they were taken along.

use tensor_core::{Axis, Shape, Tensor, shape, tensor};

fn layer_norm<Lead: Shape, A: Axis>(
    x: &Tensor<shape![Lead.., A]>,
    scale: &Tensor<shape![A]>,
) -> Tensor<shape![Lead.., A]> {
    let centred = x - x.mean_axis_keepdims::<-1>();
    let variance = centred.square().mean_axis_keepdims::<-1>();
    centred * (variance + 1e-5).rsqrt() * scale
}

fn main() {
    let rows = tensor![[1.0, 3.0], [10.0, 20.0], [0.5, 0.0]];

    let normal = layer_norm(&rows, &tensor![1.0, 2.0]);

    let expected = tensor![[-1.0, 2.0], [-1.0, 2.0], [1.0, -2.0]];
    assert!(normal.all_close(&expected, 1e-3, 0.0), "{normal}");
}
