//! How many sentences there are, and of how many words, is known when the program runs. Such axes
//! have names: `axis!(Batch, Seq)` declares them, `Batch(2)` is one with its size.
//!
//! To every word a number is added that depends on its place in the sentence, the same in all
//! sentences. By chance there are as many words as sentences. Names do not mind: `Batch` is not
//! `Seq`, whatever their sizes are.

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Seq);

fn main() {
    let words = Tensor::<shape![Batch, Seq, 2]>::zeros_shaped(shape![Batch(3), Seq(3), 2]);

    // One row for each place in a sentence.
    let places = Tensor::from_fn_shaped(shape![Batch(3), 2], |[place, _]| place as f32);

    let placed = words + places;
    assert_eq!(placed[[0, 2, 0]], 2.0);
    assert_eq!(placed[[2, 0, 0]], 0.0);
}
