//! Attention with a mask, where the keys are not transposed: no message about the mask.
//!
//! The compiler says: "the last axis of the left side is `Dim<64>`"
//! And: "`transpose` swaps the last two axes"

use tensor_core::{Tensor, select, shape};

type Heads = Tensor<shape![12, 1024, 64]>;

fn attention(q: &Heads, k: &Heads, v: &Heads) -> Heads {
    let scale = 1.0 / 64f32.sqrt();
    let scores = q.matmul(k) * scale;
    let mask = causal_mask();
    let masked = select(&mask, &scores, f32::NEG_INFINITY);
    let weights = masked.softmax::<-1>();
    weights.matmul(v)
}

fn causal_mask() -> Tensor<shape![1024, 1024], bool> {
    let position = Tensor::<shape![1024], i32>::arange();
    position.less_equal(&position.unsqueeze::<-1>())
}

fn main() {
    let x = Heads::from_fn(|[h, t, d]| ((h * 7 + t * 3 + d) % 11) as f32 / 11.0);
    let y = attention(&x, &x, &x);
    println!("{}", y.mean().item());
}
