//! Named axes, with run-time or static sizes.

use tensor_core::{Shape, Tensor, axis, shape};

mod model {
    tensor_core::axis! {
        /// Sentences.
        pub Batch,
        /// Words in the longest one.
        pub Seq,
        /// Numbers for each word.
        pub Hidden = 4 * super::HEADS,
    }
}

use model::{Batch, Hidden, Seq};

const HEADS: usize = 2;

axis!(Head = 2);

fn add_positions<Lead: Shape>(
    words: &Tensor<shape![Lead.., Seq, Hidden]>,
    positions: &Tensor<shape![Seq, Hidden]>,
) -> Tensor<shape![Lead.., Seq, Hidden]> {
    words + positions
}

fn main() {
    let words = Tensor::ones_shaped(shape![Batch(3), Seq(5), Hidden]);
    let positions = Tensor::ones_shaped(shape![Seq(5), Hidden]);
    let sum = add_positions(&words, &positions);
    assert_eq!(sum.shape(), shape![Batch(3), Seq(5), Hidden]);
    assert_eq!(sum.sum().item(), 240.0);

    let of_each_word: Tensor<shape![Batch, Seq, 1]> = sum.mean_axis_keepdims::<-1>();
    assert_eq!((&sum / &of_each_word).sum().item(), 120.0);

    let heads: Tensor<shape![Head, Hidden]> = Tensor::<shape![1, Hidden]>::ones().expand();
    assert_eq!(heads.len(), 16);
}
