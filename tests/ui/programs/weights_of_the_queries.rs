//! Attention over a source whose weights multiply the queries, and not the values.
//!
//! The compiler says: "the last axis of the left side is `Source`, the second last axis of the right side is `Target`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Source, Target);

fn cross_attention(
    q: &Tensor<shape![Batch, Target, 512]>,
    k: &Tensor<shape![Batch, Source, 512]>,
    v: &Tensor<shape![Batch, Source, 512]>,
) -> Tensor<shape![Batch, Target, 512]> {
    let scores = q.matmul(&k.transpose()) / 512f32.sqrt();
    let weights = scores.softmax::<-1>();
    weights.matmul(q)
}

fn main() {
    let q = Tensor::ones_shaped(shape![Batch(2), Target(10), 512]);
    let k = Tensor::ones_shaped(shape![Batch(2), Source(20), 512]);
    let y = cross_attention(&q, &k, &k);
    println!("{}", y.len());
    println!("{}", y.mean().item());
}
