//! Attention, over any leading axes: a batch, a batch of heads, or none. Each of `N` queries is
//! compared with each of `M` keys, and collects the `M` values by the shares that come out.
//!
//! Read the types, axis by axis: `[.., N, D] × [.., D, M]` are the scores, `[.., N, M]`. They are
//! multiplied with the values, and the result has `V` numbers for each query.

use tensor_core::{Axis, Shape, Tensor, axis, select, shape};

fn attention<Lead: Shape, N: Axis, M: Axis, D: Axis, V: Axis>(
    queries: &Tensor<shape![Lead.., N, D]>,
    keys: &Tensor<shape![Lead.., M, D]>,
    values: &Tensor<shape![Lead.., N, V]>,
    mask: &Tensor<shape![N, M], bool>,
) -> Tensor<shape![Lead.., N, V]> {
    // 0.5 is 1 / √D, for the 4 numbers of a row below.
    let scores = queries.matmul(&keys.transpose()) * 0.5;
    let masked = select(mask, scores, f32::NEG_INFINITY);
    masked.softmax::<-1>().matmul(values)
}

axis!(Batch);

fn main() {
    let sizes = shape![Batch(2), 3, 5, 4];
    let x = Tensor::from_fn_shaped(sizes, |[b, head, n, d]| (b + head * n) as f32 / (d + 1) as f32);
    let seen = Tensor::<shape![5, 5], bool>::from_fn(|[query, key]| key <= query);

    let y = attention(&x, &x, &x, &seen);

    assert_eq!(y.shape(), sizes);
    // The first place sees only itself.
    assert_eq!(y[[1, 2, 0, 3]], x[[1, 2, 0, 3]]);
    assert_ne!(y[[1, 2, 4, 3]], x[[1, 2, 4, 3]]);
}
