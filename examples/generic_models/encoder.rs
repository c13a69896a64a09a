//! An encoder as BERT's. Leading axes, time, width, heads, the inner width and the number of layers are
//! parameters.
//!
//! Source: Devlin and others, "BERT: pre-training of deep bidirectional transformers", 2018.

use tensor_core::random::Generator;
use tensor_core::{Axis, IndexError, Shape, StaticAxis, Tensor, shape, shapes};
use tensor_nn::Module;
use tensor_nn::layers::{
    Embedding, HeadsFill, KeyPadding, LayerNorm, Linear, MultiHeadAttention, Pass,
};

/// The token that fills up short sentences.
pub const PADDING: i64 = 0;

/// Attention with `H` heads of `C` channels, then two linear layers; each adds to its input.
#[derive(Clone, Debug, Module)]
pub struct Layer<D: Axis, H: StaticAxis, C: StaticAxis, F: Axis> {
    attention: MultiHeadAttention<D, H, C>,
    attention_norm: LayerNorm<D>,
    up: Linear<D, F>,
    down: Linear<F, D>,
    norm: LayerNorm<D>,
}

impl<D: StaticAxis, H: StaticAxis, C: StaticAxis, F: StaticAxis> Layer<D, H, C, F>
where
    (H, C): HeadsFill<D>,
{
    fn new(rng: &mut Generator) -> Self {
        Self {
            attention: MultiHeadAttention::new(rng),
            attention_norm: LayerNorm::new(),
            up: Linear::new(rng),
            down: Linear::new(rng),
            norm: LayerNorm::new(),
        }
    }
}

impl<D: Axis, H: StaticAxis, C: StaticAxis, F: Axis> Layer<D, H, C, F> {
    /// `[..lead, time, d] → [..lead, time, d]`
    fn forward<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, D]>,
        is_token: &Tensor<shape![Lead.., Time], bool>,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Time, D]> {
        let attended = self.attention.forward(x, KeyPadding(is_token), pass);
        let x = self.attention_norm.forward(&(x + attended));
        let y = self.down.forward(&self.up.forward(&x).gelu());
        self.norm.forward(&(x + y))
    }
}

/// Tokens of a vocabulary of size `V`, at most `P` in a sentence, become vectors of width `D`.
#[shapes]
#[derive(Clone, Debug, Module)]
pub struct Encoder<V, P, D, H, C, F, const LAYERS: usize>
where
    V: Axis,
    P: Axis,
    D: Axis,
    H: StaticAxis,
    C: StaticAxis,
    F: Axis,
{
    tokens: Embedding<V, D>,
    positions: Tensor<shape![P, D]>,
    norm: LayerNorm<D>,
    layers: [Layer<D, H, C, F>; LAYERS],
    pooler: Linear<D, D>,
}

impl<V, P, D, H, C, F, const LAYERS: usize> Encoder<V, P, D, H, C, F, LAYERS>
where
    V: StaticAxis,
    P: StaticAxis,
    D: StaticAxis,
    H: StaticAxis,
    C: StaticAxis,
    F: StaticAxis,
    (H, C): HeadsFill<D>,
{
    pub fn new(rng: &mut Generator) -> Self {
        Self {
            tokens: Embedding::new(rng),
            positions: rng.normal(0.0, 0.02),
            norm: LayerNorm::new(),
            layers: std::array::from_fn(|_| Layer::new(rng)),
            pooler: Linear::new(rng),
        }
    }
}

impl<V, P, D, H, C, F, const LAYERS: usize> Encoder<V, P, D, H, C, F, LAYERS>
where
    V: Axis,
    P: Axis,
    D: Axis,
    H: StaticAxis,
    C: StaticAxis,
    F: Axis,
{
    /// A vector for each token, `[..lead, time] → [..lead, time, d]`.
    ///
    /// # Panics
    ///
    /// If there are more than `P` tokens in a sentence.
    pub fn forward<Lead: Shape, Time: Axis>(
        &self,
        tokens: &Tensor<shape![Lead.., Time], i64>,
        pass: &mut Pass,
    ) -> Result<Tensor<shape![Lead.., Time, D]>, IndexError> {
        let (_, time) = tokens.shape();
        let positions: Tensor<shape![Time, D]> = self.positions.slice_axis::<0, _>(..time.size());
        let is_token = tokens.not_equal(PADDING);
        let mut x = self.norm.forward(&(self.tokens.forward(tokens)? + positions));
        for layer in &self.layers {
            x = layer.forward(&x, &is_token, pass);
        }
        Ok(x)
    }

    /// A vector for the sentence, made of that of its first token: `[..lead, time, d] → [..lead, d]`.
    pub fn pooled<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, D]>,
    ) -> Tensor<shape![Lead.., D]> {
        self.pooler.forward(&x.index::<-2>(0)).tanh()
    }
}
