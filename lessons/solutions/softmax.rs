//! Softmax turns scores into shares that add up to 1. Here each `Query`, a word, shares its
//! attention among other words, the `Key`s: the sum is over the keys.
//!
//! Summing over the other axis gives numbers that look just as good. With named axes the type of the
//! sum states which axis was summed over.

use tensor_core::{Tensor, axis, shape};

axis!(Query, Key);

fn softmax(scores: &Tensor<shape![Query, Key]>) -> Tensor<shape![Query, Key]> {
    // The largest score is subtracted, so that `exp` never overflows.
    let powers = (scores - scores.max()).exp();
    let total: Tensor<shape![Query, 1]> = powers.sum_axis_keepdims::<1>();
    powers / total
}

fn main() {
    let sizes = shape![Query(2), Key(3)];
    let scores = Tensor::from_fn_shaped(sizes, |[query, key]| (query * key) as f32);

    let shares = softmax(&scores);

    assert!(shares.sum_axis::<1>().all_close(&Tensor::ones_shaped(shape![Query(2)]), 1e-6, 0.0));
    assert!(shares.all_close(&scores.softmax::<1>(), 1e-6, 0.0));
}
