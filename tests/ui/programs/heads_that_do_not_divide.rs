//! Twelve heads of 1024 channels.
//!
//! The compiler says: "`Dim<1024>` is not a multiple of `Dim<12>`"

use tensor_core::{Tensor, rearrange, shape};

fn heads(x: &Tensor<shape![8, 128, 1024]>) -> Tensor<shape![8, 16, 128, 64]> {
    rearrange!(b s (h d) -> b h s d; x, h = 12)
}

fn merge(x: &Tensor<shape![8, 16, 128, 64]>) -> Tensor<shape![8, 128, 1024]> {
    rearrange!(b h s d -> b s (h d); x)
}

fn main() {
    let x = Tensor::ones();
    let q = heads(&x);
    let w = (q.matmul(&q.transpose()) / 8.0).softmax::<-1>();
    let y = merge(&w.matmul(&q));
    println!("{}", y.mean());
    println!("{}", y.std());
    println!("{}", (y - x).abs().max());
}
