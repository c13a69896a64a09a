//! A mask of words for each sentence lacks its axes for the heads and the queries.
//!
//! The compiler says: "cannot broadcast an axis of size `Batch` with one of size `Dim<12>`"

use tensor_core::{Tensor, axis, select, shape};

axis!(Batch);

fn padded_attention(
    q: &Tensor<shape![Batch, 12, 512, 64]>,
    k: &Tensor<shape![Batch, 12, 512, 64]>,
    v: &Tensor<shape![Batch, 12, 512, 64]>,
    is_word: &Tensor<shape![Batch, 512], bool>,
) -> Tensor<shape![Batch, 12, 512, 64]> {
    let scores = q.matmul(&k.transpose()) * 0.125;
    let mask = is_word.unsqueeze::<1>();
    let scores = select(&mask, &scores, f32::NEG_INFINITY);
    scores.softmax::<-1>().matmul(v)
}

fn main() {
    let shape = shape![Batch(2), 12, 512, 64];
    let x = Tensor::ones_shaped(shape);
    let is_word = Tensor::full_shaped(shape![Batch(2), 512], true);
    println!("{}", padded_attention(&x, &x, &x, &is_word).sum().item());
}
