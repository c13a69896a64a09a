//! Attention in which several query heads share one head of keys and values.

use tensor_core::arithmetic::DivSizes;
use tensor_core::random::Generator;
use tensor_core::{Axis, Dim, Element, Float, Module, Shape, StaticAxis, Tensor, axis, shape};

use super::attention::{scaled, softmax_or_zero};
use super::initial::uniform;
use super::input::{same, same_value, sequences};
use super::layouts::restated;
use super::mask::check_cached;
use super::{
    Allowed, AxisOfInput, BiasFor, Chunks, Dropout, Halves, InList, Interleaved, KvCache, Layer,
    LayerTakes, Linear, MaskFor, NoBias, NoMask, NoWidth, Pass, RotaryPairs, RotaryPositions,
    SequenceLead, SequenceResult, TakesSequences, TimeOf,
};

axis!(Rows);

/// `H` query heads, and `KV` heads of keys and values that divide them, written `(H, KV)`.
///
/// ```
/// use tensor_core::{StaticAxis, dim, random::Generator};
/// use tensor_nn::layers::{GroupedQueryAttention, SharesHeads};
///
/// fn four_heads<KV: StaticAxis>(
///     rng: &mut Generator,
/// ) -> GroupedQueryAttention<dim!(32), dim!(4), KV, dim!(8)>
/// where
///     (dim!(4), KV): SharesHeads,
/// {
///     GroupedQueryAttention::new(rng)
/// }
///
/// let layer = four_heads::<dim!(2)>(&mut Generator::seed(42));
/// # let _ = layer;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not known to be query heads and the heads of keys and values that they share",
    label = "the heads of keys and values divide the query heads",
    note = "in generic code, add the bound `{Self}: SharesHeads` [N107]"
)]
pub trait SharesHeads {}

impl<Heads: HeadsShared> SharesHeads for Heads {}

/// The implementation of [`SharesHeads`], whose single blanket impl keeps messages from listing
/// impls.
#[cfg_attr(doc, doc(hidden))]
pub trait HeadsShared {}

impl<H, KV> HeadsShared for (H, KV)
where
    H: DivSizes<KV>,
    KV: StaticAxis,
    (H::Remainder,): NoHeadLeft<H, KV>,
{
}

/// The remainder of the query heads divided by the heads of keys and values, which must be 0.
#[diagnostic::on_unimplemented(
    message = "`{H}` query heads cannot share `{KV}` heads of keys and values",
    label = "`{H}` is not a multiple of `{KV}`",
    note = "each head of keys and values has the same number of query heads: 32 share 8, and all share 1 in multi-query attention; in generic code the bound is `(H, KV): SharesHeads` [N107]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NoHeadLeft<H, KV> {}

#[diagnostic::do_not_recommend]
impl<H, KV> NoHeadLeft<H, KV> for (Dim<0>,) {}

/// A second impl, so that the compiler does not explain the first one.
#[diagnostic::do_not_recommend]
impl<H, KV> NoHeadLeft<H, KV> for (NoWidth,) {}

/// Scaled dot-product attention of `H` query heads to `KV` heads of keys and values, of which each has `H / KV`
/// consecutive query heads: `[..lead, h, q, c], [..lead, kv, k, c], [..lead, kv, k, v] → [..lead, h, q, v]`.
///
/// PyTorch's `scaled_dot_product_attention` with `enable_gqa=True`. Keys and values are not repeated. A query that
/// may attend to no key has the result 0, as in [`attention`](super::attention).
///
/// Source: Ainslie and others, "GQA: training generalized multi-query transformer models from multi-head
/// checkpoints", 2023.
///
/// # Panics
///
/// If a named axis has different sizes in the operands.
///
/// ```
/// use tensor_core::{Tensor, shape};
/// use tensor_nn::layers::{Causal, grouped_attention};
///
/// let queries: Tensor<shape![2, 32, 10, 64]> = Tensor::ones();
/// let keys: Tensor<shape![2, 8, 10, 64]> = Tensor::ones();
/// let mixed = grouped_attention(&queries, &keys, &keys, Causal);
/// assert_eq!(mixed.shape(), queries.shape());
/// ```
#[doc(alias = "enable_gqa")]
#[track_caller]
#[tensor_core::diagnostics::bounds_without_source]
pub fn grouped_attention<Lead, H, KV, Q, K, C, V, T, M>(
    queries: &Tensor<shape![Lead.., H, Q, C], T>,
    keys: &Tensor<shape![Lead.., KV, K, C], T>,
    values: &Tensor<shape![Lead.., KV, K, V], T>,
    mask: M,
) -> Tensor<shape![Lead.., H, Q, V], T>
where
    Lead: Shape,
    H: Axis,
    KV: Axis,
    Q: Axis,
    K: Axis,
    C: Axis,
    V: Axis,
    T: Float,
    (H, KV): SharesHeads,
    M: MaskFor<(Lead, H), Q, K, T>,
{
    mixed(&weights(queries, keys, mask), values)
}

/// The rows of all queries that share a head of keys and values.
fn rows(heads: impl Axis, shared: impl Axis, queries: impl Axis) -> Rows {
    Rows(heads.size().checked_div(shared.size()).unwrap_or(0) * queries.size())
}

/// The attention weights, `[..lead, h, q, c], [..lead, kv, k, c] → [..lead, h, q, k]`.
#[track_caller]
fn weights<Lead, H, KV, Q, K, C, T, M>(
    queries: &Tensor<shape![Lead.., H, Q, C], T>,
    keys: &Tensor<shape![Lead.., KV, K, C], T>,
    mask: M,
) -> Tensor<shape![Lead.., H, Q, K], T::Wide>
where
    Lead: Shape,
    H: Axis,
    KV: Axis,
    Q: Axis,
    K: Axis,
    C: Axis,
    T: Float,
    M: MaskFor<(Lead, H), Q, K, T>,
{
    let (((lead, heads), count), channels) = queries.shape();
    let (((_, shared), positions), _) = keys.shape();
    let rows = rows(heads, shared, count);
    let queries: Tensor<shape![Lead.., KV, Rows, C], T::Wide> =
        scaled(&queries.cast()).reshape_shaped((((lead, shared), rows), channels));
    let scores = queries.matmul(&keys.cast().transpose());
    let scores: Tensor<shape![Lead.., H, Q, K], T::Wide> =
        scores.reshape_shaped((((lead, heads), count), positions));
    softmax_or_zero(mask.masked_wide(scores))
}

/// The values, weighted: `[..lead, h, q, k], [..lead, kv, k, v] → [..lead, h, q, v]`.
#[track_caller]
fn mixed<Lead, H, KV, Q, K, V, T>(
    weights: &Tensor<shape![Lead.., H, Q, K], T::Wide>,
    values: &Tensor<shape![Lead.., KV, K, V], T>,
) -> Tensor<shape![Lead.., H, Q, V], T>
where
    Lead: Shape,
    H: Axis,
    KV: Axis,
    Q: Axis,
    K: Axis,
    V: Axis,
    T: Float,
{
    let (((lead, heads), count), positions) = weights.shape();
    let (((_, shared), _), channels) = values.shape();
    let rows = rows(heads, shared, count);
    let weights: Tensor<shape![Lead.., KV, Rows, K], T::Wide> =
        weights.reshape_shaped((((lead, shared), rows), positions));
    let mixed = weights.matmul(&values.cast()).cast::<T>();
    mixed.reshape_shaped((((lead, heads), count), channels))
}

/// Attention of `H` query heads of `C` channels that share `KV` heads of keys and values, in a model of width `D`:
/// `[..lead, time, d] → [..lead, time, d]`. LLaMA's, Mistral's and Qwen's attention; with one head of keys and values
/// multi-query attention.
///
/// `KV` divides `H`, and `H · C` need not be `D`. The parameters have Hugging Face's names and shapes; their
/// axes are [`Chunks`] of channels, one for each head. There are no biases, unless the last parameters are tensors:
/// Qwen2 has biases for queries, keys and values.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::{Causal, GroupedQueryAttention, Halves, Pass, RotaryPositions};
///
/// axis!(Batch);
/// axis!(Time);
/// type Channels = Halves<dim!(8)>;
///
/// let mut rng = Generator::seed(42);
/// let layer: GroupedQueryAttention<dim!(32), dim!(4), dim!(2), Channels> =
///     GroupedQueryAttention::new(&mut rng);
/// let x: Tensor<shape![Batch, Time, 32]> = Tensor::ones_shaped(shape![Batch(2), Time(5), 32]);
/// let positions: RotaryPositions<Time, Channels> =
///     RotaryPositions::new_shaped((((), Time(5)), Halves(<dim!(8)>::default())), 10_000.0, 0);
/// let y = layer.forward_rotary(&x, &positions, Causal, &mut Pass::eval());
/// assert_eq!(y.shape(), x.shape());
/// ```
#[doc(alias = "GQA")]
#[doc(alias = "MQA")]
#[doc(alias = "MultiQueryAttention")]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct GroupedQueryAttention<
    D: Axis,
    H: StaticAxis,
    KV: StaticAxis,
    C: Axis,
    T: Element = f32,
    BQ = NoBias,
    BKV = NoBias,
> {
    /// The projection to the queries of all heads.
    pub q_proj: Linear<D, Chunks<H, C>, T, BQ>,
    /// The projection to the keys.
    pub k_proj: Linear<D, Chunks<KV, C>, T, BKV>,
    /// The projection to the values.
    pub v_proj: Linear<D, Chunks<KV, C>, T, BKV>,
    /// The projection of the outputs of all heads to the result.
    pub o_proj: Linear<Chunks<H, C>, D, T, NoBias>,
    /// Dropout of the attention weights; none by default.
    pub dropout: Dropout,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Axis, H: StaticAxis, KV: StaticAxis, C: Axis, T: Element>
    GroupedQueryAttention<D, H, KV, C, T>
{
    /// Initialises all layers as [`Linear::without_bias`] does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::Module;
    /// use tensor_nn::layers::GroupedQueryAttention;
    ///
    /// let layer: GroupedQueryAttention<dim!(32), dim!(4), dim!(1), dim!(8)> =
    ///     GroupedQueryAttention::new(&mut Generator::seed(42));
    /// assert_eq!(layer.names()[1], "k_proj.weight");
    /// assert_eq!(layer.k_proj.weight.sizes()[..], [8, 32]);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        D: StaticAxis,
        C: StaticAxis,
        T: Float,
        (H, KV): SharesHeads,
    {
        let (heads, shared) = (Chunks::of(C::VALUE), Chunks::of(C::VALUE));
        Self {
            q_proj: linear(rng, D::VALUE, heads),
            k_proj: linear(rng, D::VALUE, shared),
            v_proj: linear(rng, D::VALUE, shared),
            o_proj: linear(rng, heads, D::VALUE),
            dropout: Dropout::new(0.0),
        }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Axis, H: StaticAxis, KV: StaticAxis, C: Axis, T: Element>
    GroupedQueryAttention<D, H, KV, Interleaved<C>, T>
{
    /// The same layer with rotary pairs in halves: the weights of Meta's files, in the layout of Hugging Face's. The
    /// rows of queries and keys are in another order, and the products of both stay the same.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{
    ///     Causal, GroupedQueryAttention, Halves, Interleaved, Pass, RotaryPositions,
    /// };
    ///
    /// let layer: GroupedQueryAttention<dim!(32), dim!(4), dim!(2), Interleaved<dim!(8)>> =
    ///     GroupedQueryAttention::new(&mut Generator::seed(42));
    /// let halves: GroupedQueryAttention<dim!(32), dim!(4), dim!(2), Halves<dim!(8)>> =
    ///     layer.halves();
    /// let x: Tensor<shape![5, 32]> = Generator::seed(1).normal(0.0, 1.0);
    /// let [y, z] = [
    ///     layer.forward_rotary(&x, &RotaryPositions::new(), Causal, &mut Pass::eval()),
    ///     halves.forward_rotary(&x, &RotaryPositions::new(), Causal, &mut Pass::eval()),
    /// ];
    /// assert!(y.all_close(&z, 1e-6, 1e-6));
    /// ```
    pub fn halves(&self) -> GroupedQueryAttention<D, H, KV, Halves<C>, T> {
        GroupedQueryAttention {
            q_proj: Linear { weight: halves(&self.q_proj.weight), bias: NoBias },
            k_proj: Linear { weight: halves(&self.k_proj.weight), bias: NoBias },
            v_proj: Linear { weight: restated(&self.v_proj.weight), bias: NoBias },
            o_proj: Linear { weight: restated(&self.o_proj.weight), bias: NoBias },
            dropout: self.dropout.clone(),
        }
    }
}

/// A layer without a bias between axes whose sizes are values.
fn linear<I: Axis, O: Axis, T: Float>(
    rng: &mut Generator,
    inputs: I,
    outputs: O,
) -> Linear<I, O, T, NoBias> {
    Linear { weight: uniform(rng, (((), outputs), inputs), inputs.size()), bias: NoBias }
}

/// The rows of `N` heads whose rotary pairs are neighbours, with pairs in halves: `[n · c, d] → [n · c, d]`.
fn halves<N: StaticAxis, C: Axis, D: Axis, T: Element>(
    weight: &Tensor<shape![Chunks<N, Interleaved<C>>, D], T>,
) -> Tensor<shape![Chunks<N, Halves<C>>, D], T> {
    let (((), heads), width) = weight.shape();
    let columns: Tensor<shape![D, N, Interleaved<C>], T> =
        weight.transpose().reshape_shaped(((((), width), N::VALUE), heads.chunk));
    let heads = Chunks::of(Halves(heads.chunk.0));
    let columns: Tensor<shape![D, Chunks<N, Halves<C>>], T> =
        Halves::of(&columns).reshape_shaped((((), width), heads));
    columns.transpose().contiguous()
}

/// The queries, keys or values of `N` heads.
type Heads<Lead, N, Time, C, T> = Tensor<(((Lead, N), Time), C), T>;

#[tensor_core::diagnostics::bounds_without_source]
impl<D, H, KV, C, T, BQ, BKV> GroupedQueryAttention<D, H, KV, C, T, BQ, BKV>
where
    D: Axis,
    H: StaticAxis,
    KV: StaticAxis,
    C: Axis,
    T: Float,
    BQ: BiasFor<Chunks<H, C>, T>,
    BKV: BiasFor<Chunks<KV, C>, T>,
{
    /// Self-attention to the positions that the mask allows, `[..lead, time, d] → [..lead, time, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis has another size in the mask than in the input.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{Causal, GroupedQueryAttention, Pass};
    ///
    /// let layer: GroupedQueryAttention<dim!(32), dim!(4), dim!(2), dim!(8)> =
    ///     GroupedQueryAttention::new(&mut Generator::seed(42));
    /// let y = layer.forward(&Tensor::<shape![3, 5, 32]>::ones(), Causal, &mut Pass::eval());
    /// assert_eq!(y.shape(), shape![3, 5, 32]);
    /// ```
    #[track_caller]
    pub fn forward<S, L, J, M>(
        &self,
        x: &Tensor<S, T>,
        mask: M,
        pass: &mut Pass,
    ) -> Tensor<SequenceResult<Self, S, J, D, D>, T>
    where
        S: Shape<Leading = L>,
        L: Shape,
        Self: TakesSequences<L, S, D, Last = J> + LayerTakes<J, D>,
        M: MaskFor<(SequenceLead<S>, H), TimeOf<S>, TimeOf<S>, T>,
    {
        let (queries, keys, values) = self.project(sequences::<D, S, T>(x));
        same_value(self.found(&queries, &keys, &values, mask, pass))
    }

    /// [`forward`](Self::forward) with queries and keys rotated by their positions,
    /// `[..lead, time, d] → [..lead, time, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the positions and the mask.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{Causal, GroupedQueryAttention, Halves, Pass, RotaryPositions};
    ///
    /// let layer: GroupedQueryAttention<dim!(32), dim!(4), dim!(2), Halves<dim!(8)>> =
    ///     GroupedQueryAttention::new(&mut Generator::seed(42));
    /// let positions: RotaryPositions<dim!(5), Halves<dim!(8)>> = RotaryPositions::new();
    /// let x = Tensor::<shape![3, 5, 32]>::ones();
    /// let y = layer.forward_rotary(&x, &positions, Causal, &mut Pass::eval());
    /// assert_eq!(y.shape(), shape![3, 5, 32]);
    /// ```
    #[track_caller]
    pub fn forward_rotary<Lead, Time, M>(
        &self,
        x: &Tensor<shape![Lead.., Time, D], T>,
        positions: &RotaryPositions<Time, C, T>,
        mask: M,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Time, D], T>
    where
        Lead: Shape,
        Time: Axis,
        C: RotaryPairs,
        M: MaskFor<(Lead, H), Time, Time, T>,
    {
        let (queries, keys, values) = self.project(x);
        let (queries, keys) = (positions.forward(&queries), positions.forward(&keys));
        self.found(&queries, &keys, &values, mask, pass)
    }

    /// Appends the keys and values of new positions to a cache, and lets the new positions attend to all in it:
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
    /// use tensor_nn::layers::{CausalLowerRight, GroupedQueryAttention, KvCache};
    ///
    /// axis!(Time);
    /// let layer: GroupedQueryAttention<dim!(32), dim!(4), dim!(2), dim!(8)> =
    ///     GroupedQueryAttention::new(&mut Generator::seed(42));
    /// let mut cache: KvCache<shape![3], dim!(2), Time, dim!(8)> = KvCache::new(shape![3]);
    /// let token = Tensor::<shape![3, 1, 32]>::ones();
    /// let first = layer.forward_cached(&token, &mut cache, CausalLowerRight);
    /// let second = layer.forward_cached(&token, &mut cache, CausalLowerRight);
    /// assert_eq!((second.shape(), cache.len()), (first.shape(), 2));
    /// ```
    #[track_caller]
    pub fn forward_cached<Lead, New, Time, M>(
        &self,
        x: &Tensor<shape![Lead.., New, D], T>,
        cache: &mut KvCache<Lead, KV, Time, C, T>,
        mask: M,
    ) -> Tensor<shape![Lead.., New, D], T>
    where
        Lead: Shape,
        New: Axis,
        Time: Axis,
        M: MaskFor<(Lead, H), New, Time, T>,
    {
        check_cached::<_, (Lead, H), New, Time, T>(mask, cache.known_len());
        let (queries, keys, values) = self.project(x);
        cache.append(&keys, &values);
        let allowed = cache.allowed(x.shape().0.1);
        let mask = (mask, allowed.as_ref().map(Allowed));
        self.found(&queries, &cache.keys(), &cache.values(), mask, &mut Pass::eval())
    }

    /// [`forward_cached`](Self::forward_cached) with the new queries and keys rotated by their positions, which
    /// follow those in the cache: `[..lead, new, d] → [..lead, new, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the positions, the cache and the mask, or if the mask is
    /// [`Causal`](super::Causal) and the cache is not empty, or has a fixed capacity; then also if the positions do not fit.
    ///
    /// ```
    /// use tensor_core::{One, Tensor, axis, dim, random::Generator, shape};
    /// use tensor_nn::layers::{
    ///     CausalLowerRight, GroupedQueryAttention, Halves, KvCache, RotaryPositions,
    /// };
    ///
    /// axis!(Time);
    /// type Channels = Halves<dim!(8)>;
    /// let layer: GroupedQueryAttention<dim!(32), dim!(4), dim!(2), Channels> =
    ///     GroupedQueryAttention::new(&mut Generator::seed(42));
    /// let mut cache: KvCache<shape![3], dim!(2), Time, Channels> = KvCache::new(shape![3]);
    /// let positions: RotaryPositions<dim!(2048), Channels> = RotaryPositions::new();
    /// let token = Tensor::<shape![3, 1, 32]>::ones();
    /// for index in 0..5 {
    ///     let position = positions.part::<One>(index..index + 1);
    ///     layer.forward_rotary_cached(&token, &position, &mut cache, CausalLowerRight);
    /// }
    /// assert_eq!(cache.len(), 5);
    /// ```
    #[track_caller]
    pub fn forward_rotary_cached<Lead, New, Time, M>(
        &self,
        x: &Tensor<shape![Lead.., New, D], T>,
        positions: &RotaryPositions<New, C, T>,
        cache: &mut KvCache<Lead, KV, Time, C, T>,
        mask: M,
    ) -> Tensor<shape![Lead.., New, D], T>
    where
        Lead: Shape,
        New: Axis,
        Time: Axis,
        C: RotaryPairs,
        M: MaskFor<(Lead, H), New, Time, T>,
    {
        check_cached::<_, (Lead, H), New, Time, T>(mask, cache.known_len());
        let (queries, keys, values) = self.project(x);
        cache.append(&positions.forward(&keys), &values);
        let queries = positions.forward(&queries);
        let allowed = cache.allowed(x.shape().0.1);
        let mask = (mask, allowed.as_ref().map(Allowed));
        self.found(&queries, &cache.keys(), &cache.values(), mask, &mut Pass::eval())
    }

    /// The queries, keys and values of all heads:
    /// `[..lead, time, d] → [..lead, h, time, c], [..lead, kv, time, c], [..lead, kv, time, c]`.
    #[track_caller]
    fn project<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, D], T>,
    ) -> (Heads<Lead, H, Time, C, T>, Heads<Lead, KV, Time, C, T>, Heads<Lead, KV, Time, C, T>)
    {
        (
            heads(self.q_proj.forward(x)),
            heads(self.k_proj.forward(x)),
            heads(self.v_proj.forward(x)),
        )
    }

    /// Applies the last layer to the outputs of the heads.
    #[track_caller]
    fn found<Lead, Q, K, M>(
        &self,
        queries: &Heads<Lead, H, Q, C, T>,
        keys: &Heads<Lead, KV, K, C, T>,
        values: &Heads<Lead, KV, K, C, T>,
        mask: M,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Q, D], T>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
        M: MaskFor<(Lead, H), Q, K, T>,
    {
        let weights = self.dropout.forward(&weights(queries, keys, mask), pass);
        let heads: Tensor<shape![Lead.., Q, H, C], T> =
            mixed(&weights, values).swap_axes::<-3, -2>();
        let ((rest, _), channels) = heads.shape();
        self.o_proj.forward(&heads.reshape_shaped((rest, Chunks::of(channels))))
    }
}

/// `[..lead, time, n · c] → [..lead, n, time, c]`
fn heads<Lead: Shape, Time: Axis, N: StaticAxis, C: Axis, T: Float>(
    x: Tensor<shape![Lead.., Time, Chunks<N, C>], T>,
) -> Heads<Lead, N, Time, C, T> {
    let (rest, channels) = x.shape();
    let split: Tensor<shape![Lead.., Time, N, C], T> =
        x.reshape_shaped(((rest, N::VALUE), channels.chunk));
    split.swap_axes::<-3, -2>()
}

/// Self-attention without a mask.
impl<L, Time, J, D, H, KV, C, T, BQ, BKV> Layer<Tensor<shape![L.., Time, J], T>>
    for GroupedQueryAttention<D, H, KV, C, T, BQ, BKV>
where
    (J,): AxisOfInput<J, D>,
    L: Shape,
    Time: Axis,
    J: Axis,
    D: Axis,
    H: StaticAxis,
    KV: StaticAxis,
    C: Axis,
    T: Float,
    BQ: BiasFor<Chunks<H, C>, T>,
    BKV: BiasFor<Chunks<KV, C>, T>,
{
    type Output = Tensor<InList<J, D, shape![L.., Time, D]>, T>;

    fn apply(&self, input: &Tensor<shape![L.., Time, J], T>, pass: &mut Pass) -> Self::Output {
        self.forward(same::<_, Tensor<shape![L.., Time, D], T>>(input), NoMask, pass)
    }
}
