//! The scores of a tagger are of its embeddings, not of the states of its recurrent layer.
//!
//! The compiler says: "the layer takes `E`, and the last axis of its input is `H`"

use tensor_core::{Axis, Float, Shape, Tensor, shape};
use tensor_nn::layers::{Embedding, Linear, Lstm, Pass};

struct Tagger<V: Axis, E: Axis, H: Axis, C: Axis, T: Float> {
    embedding: Embedding<V, E, T>,
    lstm: Lstm<E, H, T>,
    scores: Linear<E, C, T>,
}

impl<V: Axis, E: Axis, H: Axis, C: Axis, T: Float> Tagger<V, E, H, C, T> {
    fn forward<Lead: Shape, Time: Axis>(
        &self,
        words: &Tensor<shape![Lead.., Time], i64>,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Time, C], T> {
        let embedded = self.embedding.forward(words).expect("indices of words");
        let (states, _) = self.lstm.forward(&embedded, pass);
        self.scores.forward(&states).log_softmax::<-1>()
    }
}

fn main() {}
