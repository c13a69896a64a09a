//! Functions that the cases need beyond the library's operations, composed of these for any leading
//! axes.

use tensor_core::{Axis, Float, Shape, StaticAxis, Tensor};

/// Every row with mean 0 and variance 1: `[..lead, n] → [..lead, n]`.
pub fn layer_norm<Lead: Shape, N: Axis, T: Float>(
    x: &Tensor<(Lead, N), T>,
    eps: T,
) -> Tensor<(Lead, N), T> {
    let centred = x - x.mean_axis_keepdims::<-1>();
    let variance = x.var_axis_keepdims::<-1>();
    centred * (variance + eps).rsqrt()
}

/// `[m, n]`: true on the diagonal `k` and below it, where column - row <= k.
pub fn lower<M: StaticAxis, N: StaticAxis>(k: i64) -> Tensor<(((), M), N), bool> {
    column_less_row::<M, N>().less_equal(k)
}

fn column_less_row<M: StaticAxis, N: StaticAxis>() -> Tensor<(((), M), N), i64> {
    let rows = Tensor::<((), M), i64>::arange();
    let columns = Tensor::<((), N), i64>::arange();
    columns - rows.unsqueeze::<-1>()
}
