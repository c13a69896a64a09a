//! A transformer block.

use tensor_core::random::Generator;
use tensor_core::{Axis, Element, Float, Module, Shape, StaticAxis, Tensor, shape};

use super::input::{same, same_value, sequences};
use super::{
    Activation, AxisOfInput, Dropout, Gelu, HeadsFill, InList, KvCache, Layer, LayerNorm,
    LayerTakes, Linear, MaskFor, MultiHeadAttention, NoMask, Pass, SequenceLead, SequenceResult,
    TakesSequences, TimeOf,
};

/// The position of the normalisations in a [`TransformerBlock`].
#[derive(Clone, Copy, Debug, Module, PartialEq, Eq)]
pub enum NormOrder {
    /// Before attention and before the linear layers, as in GPT-2: `x + f(norm(x))`.
    Pre,
    /// After the sum, as in the original article: `norm(x + f(x))`.
    Post,
}

/// Attention, then two linear layers at each position, both with a residual connection:
/// `[..lead, time, d] → [..lead, time, d]`.
///
/// The width is `D = H · C`; `A` is the activation, [`Gelu`] by default,
/// [`GeluTanh`](super::GeluTanh) for GPT-2. The linear layers have an inner width `F`, often `4 D`. The parameters have the
/// names and shapes of PyTorch's `nn.TransformerEncoderLayer`. With [`Causal`](super::Causal)
/// it is a block of a GPT. Source: Vaswani and others, "Attention is all you need", 2017.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::{Causal, NormOrder, Pass, TransformerBlock};
///
/// axis!(Batch);
/// axis!(Time);
///
/// let mut rng = Generator::seed(42);
/// let block: TransformerBlock<dim!(96), dim!(12), dim!(8), dim!(384)> =
///     TransformerBlock::new(&mut rng, NormOrder::Pre, 0.1);
/// let x: Tensor<shape![Batch, Time, 96]> = Tensor::ones_shaped(shape![Batch(2), Time(5), 96]);
/// let y = block.forward(&x, Causal, &mut Pass::training(&mut rng));
/// assert_eq!(y.shape(), x.shape());
/// ```
#[doc(alias = "TransformerEncoderLayer")]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct TransformerBlock<D: Axis, H: Axis, C: Axis, F: Axis, T: Element = f32, A = Gelu> {
    /// The attention between positions.
    pub self_attn: MultiHeadAttention<D, H, C, T>,
    /// The linear layer from `D` to the inner width `F`.
    pub linear1: Linear<D, F, T>,
    /// The linear layer from `F` back to `D`.
    pub linear2: Linear<F, D, T>,
    /// The normalisation that belongs to attention.
    pub norm1: LayerNorm<D, T>,
    /// The normalisation that belongs to the linear layers.
    pub norm2: LayerNorm<D, T>,
    /// Dropout before both residual sums, and between the linear layers.
    pub dropout: Dropout,
    /// The activation between the linear layers.
    pub activation: A,
    /// The position of the normalisations; that of the original article in a block that is made from a file.
    #[module(value = NormOrder::Post)]
    pub order: NormOrder,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Axis, H: StaticAxis, C: StaticAxis, F: Axis, T: Element, A>
    TransformerBlock<D, H, C, F, T, A>
{
    /// Initialises all layers as their `new` does, with this dropout rate.
    ///
    /// # Panics
    ///
    /// If the rate is not from 0 to 1.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::{NormOrder, Relu, TransformerBlock};
    ///
    /// let mut rng = Generator::seed(42);
    /// let block: TransformerBlock<dim!(8), dim!(2), dim!(4), dim!(32), f32, Relu> =
    ///     TransformerBlock::new(&mut rng, NormOrder::Post, 0.1);
    /// assert_eq!(block.dropout.rate, 0.1);
    /// ```
    #[track_caller]
    pub fn new(rng: &mut Generator, order: NormOrder, dropout: f64) -> Self
    where
        D: StaticAxis,
        F: StaticAxis,
        T: Float,
        A: Default,
        (H, C): HeadsFill<D>,
    {
        let dropout = Dropout::new(dropout);
        let mut self_attn = MultiHeadAttention::new(rng);
        self_attn.dropout = dropout.clone();
        Self {
            self_attn,
            linear1: Linear::new(rng),
            linear2: Linear::new(rng),
            norm1: LayerNorm::new(),
            norm2: LayerNorm::new(),
            dropout,
            activation: A::default(),
            order,
        }
    }

    /// The block with another epsilon in both normalisations: `1e-12` for BERT, `1e-5` by default.
    ///
    /// # Panics
    ///
    /// If the epsilon is not finite and at least 0.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::{NormOrder, TransformerBlock};
    ///
    /// let mut rng = Generator::seed(42);
    /// let block: TransformerBlock<dim!(8), dim!(2), dim!(4), dim!(32)> =
    ///     TransformerBlock::new(&mut rng, NormOrder::Post, 0.1).with_epsilon(1e-12);
    /// assert_eq!(block.norm2.epsilon, 1e-12);
    /// ```
    #[doc(alias = "layer_norm_eps")]
    #[must_use]
    #[track_caller]
    pub fn with_epsilon(self, epsilon: f64) -> Self {
        let (norm1, norm2) = (self.norm1.with_epsilon(epsilon), self.norm2.with_epsilon(epsilon));
        Self { norm1, norm2, ..self }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Axis, H: StaticAxis, C: StaticAxis, F: Axis, T: Element, A>
    TransformerBlock<D, H, C, F, T, A>
{
    /// Applies the block, `[..lead, time, d] → [..lead, time, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis has another size in the mask than in the input.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{NoMask, NormOrder, Pass, TransformerBlock};
    ///
    /// let mut rng = Generator::seed(42);
    /// let block: TransformerBlock<dim!(8), dim!(2), dim!(4), dim!(32)> =
    ///     TransformerBlock::new(&mut rng, NormOrder::Post, 0.0);
    /// let y = block.forward(&Tensor::<shape![3, 5, 8]>::ones(), NoMask, &mut Pass::eval());
    /// assert_eq!(y.shape(), shape![3, 5, 8]);
    /// ```
    #[track_caller]
    pub fn forward<S, L, J, M>(
        &self,
        x: &Tensor<S, T>,
        mask: M,
        pass: &mut Pass,
    ) -> Tensor<SequenceResult<Self, S, J, D, D>, T>
    where
        T: Float,
        A: Activation,
        S: Shape<Leading = L>,
        L: Shape,
        Self: TakesSequences<L, S, D, Last = J> + LayerTakes<J, D>,
        M: MaskFor<(SequenceLead<S>, H), TimeOf<S>, TimeOf<S>, T>,
    {
        let x = sequences::<D, S, T>(x);
        let y =
            self.with_attention(x, pass, |attention, x, pass| attention.cross(x, x, mask, pass));
        same_value(y)
    }

    /// Applies the block to new positions, whose attention reads the keys and values in a cache and appends theirs:
    /// `[..lead, new, d] → [..lead, new, d]`. The mask is over the queries `new` and the keys `time`, usually
    /// [`CausalLowerRight`](super::CausalLowerRight).
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the cache and the mask, or if the mask is
    /// [`Causal`](super::Causal) and the cache is not empty, or has a fixed capacity; then also if the positions do not fit.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
    /// use tensor_nn::layers::{CausalLowerRight, KvCache, NormOrder, TransformerBlock};
    ///
    /// axis!(Time);
    /// let mut rng = Generator::seed(42);
    /// let block: TransformerBlock<dim!(8), dim!(2), dim!(4), dim!(32)> =
    ///     TransformerBlock::new(&mut rng, NormOrder::Pre, 0.0);
    /// let mut cache: KvCache<shape![3], dim!(2), Time, dim!(4)> = KvCache::new(shape![3]);
    /// let token = Tensor::<shape![3, 1, 8]>::ones();
    /// let y = block.forward_cached(&token, &mut cache, CausalLowerRight);
    /// assert_eq!((y.shape(), cache.len()), (token.shape(), 1));
    /// ```
    #[track_caller]
    pub fn forward_cached<Lead, New, Time, M>(
        &self,
        x: &Tensor<shape![Lead.., New, D], T>,
        cache: &mut KvCache<Lead, H, Time, C, T>,
        mask: M,
    ) -> Tensor<shape![Lead.., New, D], T>
    where
        T: Float,
        A: Activation,
        Lead: Shape,
        New: Axis,
        Time: Axis,
        M: MaskFor<(Lead, H), New, Time, T>,
    {
        self.with_attention(x, &mut Pass::eval(), |attention, x, _| {
            attention.forward_cached(x, cache, mask)
        })
    }

    /// The block with this use of its attention.
    #[track_caller]
    fn with_attention<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, D], T>,
        pass: &mut Pass,
        attend: impl FnOnce(
            &MultiHeadAttention<D, H, C, T>,
            &Tensor<shape![Lead.., Time, D], T>,
            &mut Pass,
        ) -> Tensor<shape![Lead.., Time, D], T>,
    ) -> Tensor<shape![Lead.., Time, D], T>
    where
        T: Float,
        A: Activation,
    {
        match self.order {
            NormOrder::Pre => {
                let found = attend(&self.self_attn, &self.norm1.forward(x), pass);
                let x = self.dropout.forward(&found, pass) + x;
                self.at_each_position(&self.norm2.forward(&x), pass) + x
            }
            NormOrder::Post => {
                let found = attend(&self.self_attn, x, pass);
                let x = self.norm1.forward(&(self.dropout.forward(&found, pass) + x));
                self.norm2.forward(&(self.at_each_position(&x, pass) + &x))
            }
        }
    }

    /// Applies the two linear layers, `[..lead, d] → [..lead, d]`.
    fn at_each_position<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., D], T>,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., D], T>
    where
        T: Float,
        A: Activation,
    {
        let hidden = self.activation.activate(&self.linear1.forward(x));
        let y = self.linear2.forward(&self.dropout.forward(&hidden, pass));
        self.dropout.forward(&y, pass)
    }
}

/// Applies the block without a mask.
impl<L, Time, J, D, H, C, F, T, A> Layer<Tensor<shape![L.., Time, J], T>>
    for TransformerBlock<D, H, C, F, T, A>
where
    (J,): AxisOfInput<J, D>,
    L: Shape,
    Time: Axis,
    J: Axis,
    D: Axis,
    H: StaticAxis,
    C: StaticAxis,
    F: Axis,
    T: Float,
    A: Activation,
{
    type Output = Tensor<InList<J, D, shape![L.., Time, D]>, T>;

    fn apply(&self, input: &Tensor<shape![L.., Time, J], T>, pass: &mut Pass) -> Self::Output {
        self.forward(same::<_, Tensor<shape![L.., Time, D], T>>(input), NoMask, pass)
    }
}
