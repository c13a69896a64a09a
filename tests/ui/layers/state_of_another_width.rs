//! The last layer of a classifier takes the width of the words, not that of the state.
//!
//! The compiler says: "the layer takes `Dim<300>`, and the last axis of its input is `Dim<256>`"

use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::layers::{Gru, Linear, Pass};

axis!(Batch);

struct Sentiment {
    reader: Gru<dim!(300), dim!(256)>,
    scores: Linear<dim!(300), dim!(2)>,
}

impl Sentiment {
    fn forward(&self, words: &Tensor<shape![Batch, 40, 300]>) -> Tensor<shape![Batch, 2]> {
        let (_, [last]) = self.reader.forward(words, &mut Pass::eval());
        self.scores.forward(&last)
    }
}

fn main() {}
