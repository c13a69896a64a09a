//! Attention, and the multi-head attention layer.

use core::marker::PhantomData;

use tensor_core::functional::linear;
use tensor_core::loops::for_each_part;
use tensor_core::random::Generator;
use tensor_core::trace::is_traced;
use tensor_core::{
    Axis, Element, Float, Module, Shape, StaticAxis, Tensor, axis, select, shape, shapes,
};

use super::input::{same, same_value, sequences};
use super::layouts::restated;
use super::mask::{check_cached, up_to_diagonal};
use super::{
    Allowed, AxisOfInput, Dropout, HeadsFill, InList, KvCache, Layer, LayerTakes, Linear, Mask,
    MaskFor, NoMask, Pass, QkvBlocks, RotaryPairs, RotaryPositions, SequenceLead, SequenceResult,
    TakesSequences, TimeOf,
};

/// Scaled dot-product attention: `softmax(q · kᵀ / √c) · v`,
/// `[..lead, q, c], [..lead, k, c], [..lead, k, v] → [..lead, q, v]`.
///
/// A query that may attend to no key, because all of its scores are -∞, has the result 0 and zero gradients.
///
/// Scores and weights of 16-bit floats are `f32`.
///
/// Of many scores without a mask, or with a causal one, about 1 MB is computed at a time, unless an operand requires
/// gradients.
///
/// PyTorch's `scaled_dot_product_attention`. Source: Vaswani and others, "Attention is all you need", 2017.
///
/// # Panics
///
/// If a named axis has different sizes in the operands.
///
/// ```
/// use tensor_core::{Tensor, axis, shape};
/// use tensor_nn::layers::{Causal, attention};
///
/// axis!(Batch);
/// let queries: Tensor<shape![Batch, 12, 128, 64]> = Tensor::ones_shaped(shape![Batch(2), 12, 128, 64]);
/// let mixed = attention(&queries, &queries, &queries, Causal);
/// assert_eq!(mixed.shape(), shape![Batch(2), 12, 128, 64]);
/// ```
#[doc(alias = "scaled_dot_product_attention")]
#[track_caller]
#[tensor_core::diagnostics::bounds_without_source]
pub fn attention<Lead, Q, K, C, V, T, M>(
    queries: &Tensor<shape![Lead.., Q, C], T>,
    keys: &Tensor<shape![Lead.., K, C], T>,
    values: &Tensor<shape![Lead.., K, V], T>,
    mask: M,
) -> Tensor<shape![Lead.., Q, V], T>
where
    Lead: Shape,
    Q: Axis,
    K: Axis,
    C: Axis,
    V: Axis,
    T: Float,
    M: MaskFor<Lead, Q, K, T>,
{
    let (((_, q), _), ((_, k), _)) = (queries.shape(), keys.shape());
    let values = &values.cast::<T::Wide>();
    if let Some(diagonal) = mask.diagonal(q.size(), k.size())
        && let Some(mixed) = in_parts(&queries.cast(), &keys.cast(), values, diagonal)
    {
        return mixed.cast();
    }
    weights(queries, keys, mask).matmul(values).cast()
}

axis!(
    /// The lead axes of attention as one.
    Lanes
);
axis!(
    /// Some of the queries.
    Part
);

/// The bytes of the scores that are computed at a time.
const PART_BYTES: usize = 1 << 20;

/// [`attention`] to the keys up to a diagonal, of some queries at a time, whose scores stay in the L2 cache: with the same
/// bits, as a row of a product or a softmax depends on that row alone. `None` if there are few scores, or if an operand is
/// tracked or traced.
fn in_parts<Lead, Q, K, C, V, T>(
    queries: &Tensor<shape![Lead.., Q, C], T>,
    keys: &Tensor<shape![Lead.., K, C], T>,
    values: &Tensor<shape![Lead.., K, V], T>,
    diagonal: isize,
) -> Option<Tensor<shape![Lead.., Q, V], T>>
where
    Lead: Shape,
    Q: Axis,
    K: Axis,
    C: Axis,
    V: Axis,
    T: Float,
{
    let (((lead, q), c), ((_, k), v)) = (queries.shape(), values.shape());
    let lanes = lead.sizes().iter().try_fold(1_usize, |lanes, &size| lanes.checked_mul(size));
    let (lanes, row) = (Lanes(lanes?), k.size().saturating_mul(size_of::<T>()));
    let bytes = q.size().saturating_mul(row);
    let parts = bytes.div_ceil(PART_BYTES);
    let is_kept = [queries.is_tracked(), keys.is_tracked(), values.is_tracked()].contains(&true)
        || is_traced(queries)
        || is_traced(keys)
        || is_traced(values);
    // Products of few rows sum in another order.
    let has_few = lanes.size().saturating_mul(bytes) < 4 * PART_BYTES || q.size() < 8 * parts;
    if is_kept || has_few || v.size() == 0 {
        return None;
    }
    let queries: Tensor<shape![Lanes, Q, C], T> = queries.reshape_shaped(((((), lanes), q), c));
    let keys: Tensor<shape![Lanes, K, C], T> = keys.reshape_shaped(((((), lanes), k), c));
    let values: Tensor<shape![Lanes, K, V], T> = values.reshape_shaped(((((), lanes), k), v));
    // The rows of each part, and the keys that they attend to, the same in all lanes.
    let parts: Vec<_> = (0..parts)
        .map(|part| {
            let rows = part * q.size() / parts..(part + 1) * q.size() / parts;
            let diagonal = diagonal.saturating_add(rows.start as isize);
            let allowed = up_to_diagonal(Part(rows.len()), k, diagonal);
            (rows, allowed)
        })
        .collect();
    let of_lane = |lane: usize, mut mixed: &mut [T]| {
        // Copies in the order in which all products with some queries read them.
        let keys = keys.index::<0>(lane).transpose().contiguous().transpose();
        let values = values.index::<0>(lane).contiguous();
        let queries: Tensor<shape![Q, C], T> = queries.index::<0>(lane);
        for (rows, allowed) in &parts {
            let queries: Tensor<shape![Part, C], T> = queries.slice_axis::<0, Part>(rows.clone());
            let scores: Tensor<shape![Part, K], T> = scaled(&queries).matmul(&keys.transpose());
            let scores = match allowed {
                Some(allowed) => Allowed(allowed).masked(scores),
                None => scores,
            };
            let part = softmax_or_zero(scores).matmul(&values);
            let of_part = mixed.split_off_mut(..part.len()).expect("results of all parts");
            of_part.copy_from_slice(part.as_slice().expect("a new tensor is contiguous"));
        }
    };
    let each = q.size() * v.size();
    let mut mixed = vec![T::ZERO; lanes.size() * each];
    // Lanes on several threads: the scores of a part are too few for that.
    for_each_part(&mut mixed, lanes.size().saturating_mul(bytes), each, |start, mixed| {
        for (lane, mixed) in (start / each..).zip(mixed.chunks_mut(each)) {
            of_lane(lane, mixed);
        }
    });
    Some(Tensor::from_vec_shaped(((lead, q), v), mixed).expect("an element for each position"))
}

/// The attention weights `softmax(q · kᵀ / √c)`, `[..lead, q, c], [..lead, k, c] → [..lead, q, k]`.
#[track_caller]
fn weights<Lead, Q, K, C, T, M>(
    queries: &Tensor<shape![Lead.., Q, C], T>,
    keys: &Tensor<shape![Lead.., K, C], T>,
    mask: M,
) -> Tensor<shape![Lead.., Q, K], T::Wide>
where
    Lead: Shape,
    Q: Axis,
    K: Axis,
    C: Axis,
    T: Float,
    M: MaskFor<Lead, Q, K, T>,
{
    let (queries, keys) = (queries.cast::<T::Wide>(), keys.cast::<T::Wide>());
    softmax_or_zero(mask.masked_wide(scaled(&queries).matmul(&keys.transpose())))
}

/// The queries divided by the root of the number of channels, `[..lead, c] → [..lead, c]`.
pub(super) fn scaled<Lead: Shape, C: Axis, T: Float>(
    queries: &Tensor<shape![Lead.., C], T>,
) -> Tensor<shape![Lead.., C], T> {
    let (_, channels) = queries.shape();
    queries * T::from_f64(1.0 / (channels.size() as f64).sqrt())
}

/// The softmax along the last axis, `[..s] → [..s]`; rows whose elements are all -∞ become 0, with gradients
/// of 0.
pub(super) fn softmax_or_zero<Lead: Shape, K: Axis, T: Float>(
    scores: Tensor<shape![Lead.., K], T>,
) -> Tensor<shape![Lead.., K], T> {
    let lowest = T::from_f64(f64::NEG_INFINITY);
    // In most rows the search ends at the first element. The elements of a program are known when it runs.
    let is_empty = |row: &[T]| row.iter().all(|&score| score == lowest);
    let (_, keys) = scores.shape();
    let scores = scores.contiguous();
    if !is_traced(&scores) {
        let elements = scores.as_slice().expect("a contiguous tensor");
        if !elements.chunks_exact(keys.size().max(1)).any(is_empty) {
            return scores.softmax::<-1>();
        }
    }
    let empty = scores.equal(lowest).all_axis_keepdims::<-1>();
    select(&empty, T::ZERO, select(&empty, T::ZERO, scores).softmax::<-1>())
}

/// The rows of the fused projection that [`MultiHeadAttention::of_fused`] takes: [`QkvBlocks<D>`](QkvBlocks).
#[diagnostic::on_unimplemented(
    message = "the rows of a fused projection are `QkvBlocks<{D}>`, not `{Self}`",
    label = "expected all queries, then all keys, then all values",
    note = "`qkv_blocks` converts a weight and a bias with the rows of each head, `QkvPerHead`, as files of GPT-NeoX and BLOOM have them [N111]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait FusedRows<D>: Axis {}

#[diagnostic::do_not_recommend]
impl<D: Axis> FusedRows<D> for QkvBlocks<D> {}

/// Attention with `H` heads of `C` channels in a model of width `D = H · C`,
/// `[..lead, time, d] → [..lead, time, d]`.
///
/// Queries, keys and values are linear in the input, every head attends independently, and the last layer is
/// linear in the outputs of all heads. Source: Vaswani and others, "Attention is all you need", 2017.
///
/// The parameters have the names and shapes of PyTorch's `nn.MultiheadAttention`, so that its files load:
/// `in_proj_weight` has the rows for queries, keys and values, concatenated in this order.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::{Causal, Dropout, MultiHeadAttention, Pass};
///
/// axis!(Batch);
/// axis!(Time);
///
/// let mut rng = Generator::seed(42);
/// let mut layer: MultiHeadAttention<dim!(96), dim!(12), dim!(8)> = MultiHeadAttention::new(&mut rng);
/// layer.dropout = Dropout::new(0.1);
/// let x: Tensor<shape![Batch, Time, 96]> = Tensor::ones_shaped(shape![Batch(2), Time(5), 96]);
/// assert_eq!(layer.forward(&x, Causal, &mut Pass::training(&mut rng)).shape(), x.shape());
/// ```
#[doc(alias = "MultiheadAttention")]
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct MultiHeadAttention<D: Axis, H: Axis, C: Axis, T: Element = f32> {
    /// The projection of the input, or of the context, to queries, keys and values: `[3 d, d]`.
    pub in_proj_weight: Tensor<shape![QkvBlocks<D>, D], T>,
    /// The biases of this projection: `[3 d]`.
    pub in_proj_bias: Tensor<shape![QkvBlocks<D>], T>,
    /// The projection of the outputs of all heads to the result.
    pub out_proj: Linear<D, D, T>,
    /// Dropout of the attention weights; none by default.
    pub dropout: Dropout,
    /// Type parameters with `h · c = d`, which `new` requires.
    heads: PhantomData<(H, C)>,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Axis, H: StaticAxis, C: StaticAxis, T: Element> MultiHeadAttention<D, H, C, T> {
    /// Initialises the query, key and value weights uniformly within `±√(1.5 / d)`, those of the last layer
    /// within `±1 / √d`, and biases to 0, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator};
    /// use tensor_nn::layers::MultiHeadAttention;
    ///
    /// let layer: MultiHeadAttention<dim!(96), dim!(12), dim!(8)> =
    ///     MultiHeadAttention::new(&mut Generator::seed(42));
    /// assert_eq!(layer.out_proj.bias, Tensor::zeros());
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        D: StaticAxis,
        T: Float,
        (H, C): HeadsFill<D>,
    {
        let rows = ((), QkvBlocks::of(D::VALUE));
        let bound = (1.5 / D::VALUE.size().max(1) as f64).sqrt();
        let (low, high) = (T::from_f64(-bound), T::from_f64(bound));
        Self {
            in_proj_weight: rng.uniform_shaped((rows, D::VALUE), low, high),
            in_proj_bias: Tensor::zeros_shaped(rows),
            out_proj: Linear { bias: Tensor::zeros(), ..Linear::new(rng) },
            dropout: Dropout::new(0.0),
            heads: PhantomData,
        }
    }

    /// Combines separate layers for queries, keys and values, for files with the names `q_proj` and so on.
    ///
    /// # Panics
    ///
    /// If the result exceeds `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::{Linear, MultiHeadAttention, NoMask, Pass};
    ///
    /// let [q, k, v, out] = [(); 4].map(|()| Linear::zeros());
    /// let layer: MultiHeadAttention<dim!(96), dim!(12), dim!(8)> =
    ///     MultiHeadAttention::of(&q, &k, &v, out);
    /// let x = Tensor::<shape![5, 96]>::ones();
    /// assert_eq!(layer.forward(&x, NoMask, &mut Pass::eval()), Tensor::zeros());
    /// ```
    #[track_caller]
    pub fn of(
        q_proj: &Linear<D, D, T>,
        k_proj: &Linear<D, D, T>,
        v_proj: &Linear<D, D, T>,
        out_proj: Linear<D, D, T>,
    ) -> Self
    where
        D: StaticAxis,
        T: Float,
        (H, C): HeadsFill<D>,
    {
        let layers = [q_proj, k_proj, v_proj];
        Self {
            in_proj_weight: Tensor::concat_all::<0, _>(layers.map(|layer| &layer.weight)),
            in_proj_bias: Tensor::concat_all::<0, _>(layers.map(|layer| &layer.bias)),
            out_proj,
            dropout: Dropout::new(0.0),
            heads: PhantomData,
        }
    }

    /// The layer with a fused projection, in the layout [`QkvBlocks`]: GPT-2's `c_attn`, whose weight is
    /// `[In, Out]`. [`qkv_blocks`](super::qkv_blocks) converts that of GPT-NeoX and BLOOM.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::{In, Linear, MultiHeadAttention, Out, QkvBlocks};
    ///
    /// let c_attn: Tensor<shape![In<dim!(96)>, Out<QkvBlocks<dim!(96)>>]> = Tensor::zeros();
    /// let fused = Linear::of(c_attn.transpose(), Tensor::zeros());
    /// let layer: MultiHeadAttention<dim!(96), dim!(12), dim!(8)> =
    ///     MultiHeadAttention::of_fused(fused, Linear::zeros());
    /// # let _ = layer;
    /// ```
    #[doc(alias = "c_attn")]
    pub fn of_fused<Rows>(in_proj: Linear<D, Rows, T>, out_proj: Linear<D, D, T>) -> Self
    where
        D: StaticAxis,
        T: Float,
        Rows: FusedRows<D>,
        (H, C): HeadsFill<D>,
    {
        Self {
            in_proj_weight: restated(&in_proj.weight),
            in_proj_bias: restated(&in_proj.bias),
            out_proj,
            dropout: Dropout::new(0.0),
            heads: PhantomData,
        }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Axis, H: StaticAxis, C: StaticAxis, T: Element> MultiHeadAttention<D, H, C, T> {
    /// Self-attention to the positions that the mask allows, `[..lead, time, d] → [..lead, time, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis has another size in the mask than in the input.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{Causal, MultiHeadAttention, Pass};
    ///
    /// let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> =
    ///     MultiHeadAttention::new(&mut Generator::seed(42));
    /// let y = layer.forward(&Tensor::<shape![3, 5, 8]>::ones(), Causal, &mut Pass::eval());
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
        S: Shape<Leading = L>,
        L: Shape,
        Self: TakesSequences<L, S, D, Last = J> + LayerTakes<J, D>,
        M: MaskFor<(SequenceLead<S>, H), TimeOf<S>, TimeOf<S>, T>,
    {
        let x = sequences::<D, S, T>(x);
        same_value(self.attended(x, x, mask, pass))
    }

    /// Cross-attention: every position of `x` attends to positions of a context, as in translation:
    /// `[..lead, q, d], [..lead, k, d] → [..lead, q, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the context and the mask.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{MultiHeadAttention, NoMask, Pass};
    ///
    /// let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> =
    ///     MultiHeadAttention::new(&mut Generator::seed(42));
    /// let (x, context) = (Tensor::<shape![3, 5, 8]>::ones(), Tensor::<shape![3, 7, 8]>::ones());
    /// assert_eq!(layer.cross(&x, &context, NoMask, &mut Pass::eval()).shape(), shape![3, 5, 8]);
    /// ```
    #[track_caller]
    pub fn cross<Lead, Q, K, M>(
        &self,
        x: &Tensor<shape![Lead.., Q, D], T>,
        context: &Tensor<shape![Lead.., K, D], T>,
        mask: M,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Q, D], T>
    where
        T: Float,
        Lead: Shape,
        Q: Axis,
        K: Axis,
        M: MaskFor<(Lead, H), Q, K, T>,
    {
        self.attended(x, context, mask, pass)
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
    /// use tensor_nn::layers::{Causal, Halves, MultiHeadAttention, Pass, RotaryPositions};
    ///
    /// let layer: MultiHeadAttention<dim!(8), dim!(2), Halves<dim!(4)>> =
    ///     MultiHeadAttention::new(&mut Generator::seed(42));
    /// let positions: RotaryPositions<dim!(5), Halves<dim!(4)>> = RotaryPositions::new();
    /// let x = Tensor::<shape![3, 5, 8]>::ones();
    /// let y = layer.forward_rotary(&x, &positions, Causal, &mut Pass::eval());
    /// assert_eq!(y.shape(), shape![3, 5, 8]);
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
        T: Float,
        Lead: Shape,
        Time: Axis,
        C: RotaryPairs,
        M: MaskFor<(Lead, H), Time, Time, T>,
    {
        let queries = positions.forward(&self.projected(0, x));
        let keys = positions.forward(&self.projected(1, x));
        self.found(&queries, &keys, &self.projected(2, x), mask, pass)
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
    /// use tensor_nn::layers::{CausalLowerRight, KvCache, MultiHeadAttention};
    ///
    /// axis!(Time);
    /// let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> =
    ///     MultiHeadAttention::new(&mut Generator::seed(42));
    /// let mut cache: KvCache<shape![3], dim!(2), Time, dim!(4)> = KvCache::new(shape![3]);
    /// let token = Tensor::<shape![3, 1, 8]>::ones();
    /// let first = layer.forward_cached(&token, &mut cache, CausalLowerRight);
    /// let second = layer.forward_cached(&token, &mut cache, CausalLowerRight);
    /// assert_eq!((second.shape(), cache.len()), (first.shape(), 2));
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
        Lead: Shape,
        New: Axis,
        Time: Axis,
        M: MaskFor<(Lead, H), New, Time, T>,
    {
        check_cached::<_, (Lead, H), New, Time, T>(mask, cache.known_len());
        cache.append(&self.projected(1, x), &self.projected(2, x));
        let queries = self.projected(0, x);
        let allowed = cache.allowed(x.shape().0.1);
        let mask = (mask, allowed.as_ref().map(Allowed));
        self.found(&queries, &cache.keys(), &cache.values(), mask, &mut Pass::eval())
    }

    /// [`forward_cached`](Self::forward_cached) with the new queries and keys rotated by their positions, which
    /// follow those in the cache: `[..lead, new, d] → [..lead, new, d]`. Attention of GPT-NeoX and GPT-J, a token at a
    /// time.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the positions, the cache and the mask, or if the mask is
    /// [`Causal`](super::Causal) and the cache is not empty, or has a fixed capacity; then also if the positions do not fit.
    ///
    /// ```
    /// use tensor_core::{One, Tensor, axis, dim, random::Generator, shape};
    /// use tensor_nn::layers::{
    ///     CausalLowerRight, Halves, KvCache, MultiHeadAttention, RotaryPositions,
    /// };
    ///
    /// axis!(Time);
    /// type Channels = Halves<dim!(4)>;
    /// let layer: MultiHeadAttention<dim!(8), dim!(2), Channels> =
    ///     MultiHeadAttention::new(&mut Generator::seed(42));
    /// let mut cache: KvCache<shape![3], dim!(2), Time, Channels> = KvCache::new(shape![3]);
    /// let positions: RotaryPositions<dim!(2048), Channels> = RotaryPositions::new();
    /// let token = Tensor::<shape![3, 1, 8]>::ones();
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
        cache: &mut KvCache<Lead, H, Time, C, T>,
        mask: M,
    ) -> Tensor<shape![Lead.., New, D], T>
    where
        T: Float,
        Lead: Shape,
        New: Axis,
        Time: Axis,
        C: RotaryPairs,
        M: MaskFor<(Lead, H), New, Time, T>,
    {
        check_cached::<_, (Lead, H), New, Time, T>(mask, cache.known_len());
        cache.append(&positions.forward(&self.projected(1, x)), &self.projected(2, x));
        let queries = positions.forward(&self.projected(0, x));
        let allowed = cache.allowed(x.shape().0.1);
        let mask = (mask, allowed.as_ref().map(Allowed));
        self.found(&queries, &cache.keys(), &cache.values(), mask, &mut Pass::eval())
    }

    /// The keys and values of a context, `[..lead, k, d] → [..lead, h, k, c]`, for [`cross_cached`](Self::cross_cached):
    /// computed once for all tokens that a decoder writes.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::MultiHeadAttention;
    ///
    /// let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> =
    ///     MultiHeadAttention::new(&mut Generator::seed(42));
    /// let [keys, values] = layer.keys_and_values(&Tensor::<shape![3, 7, 8]>::ones());
    /// assert_eq!((keys.shape(), values.shape()), (shape![3, 2, 7, 4], shape![3, 2, 7, 4]));
    /// ```
    #[doc(alias = "encoder_hidden_states")]
    pub fn keys_and_values<Lead: Shape, K: Axis>(
        &self,
        context: &Tensor<shape![Lead.., K, D], T>,
    ) -> [Tensor<shape![Lead.., H, K, C], T>; 2]
    where
        T: Float,
    {
        [1, 2].map(|chunk| self.projected(chunk, context).contiguous())
    }

    /// [`cross`](Self::cross) with the keys and values of the context, which
    /// [`keys_and_values`](Self::keys_and_values) has computed:
    /// `[..lead, q, d], [..lead, h, k, c], [..lead, h, k, c] → [..lead, q, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the keys, the values and the mask.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{MultiHeadAttention, NoMask, Pass};
    ///
    /// let mut rng = Generator::seed(42);
    /// let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> = MultiHeadAttention::new(&mut rng);
    /// let context: Tensor<shape![3, 7, 8]> = rng.normal(0.0, 1.0);
    /// let [keys, values] = layer.keys_and_values(&context);
    /// for _ in 0..4 {
    ///     let token: Tensor<shape![3, 1, 8]> = rng.normal(0.0, 1.0);
    ///     let found = layer.cross_cached(&token, &keys, &values, NoMask);
    ///     let expected = layer.cross(&token, &context, NoMask, &mut Pass::eval());
    ///     assert!(found.all_close(&expected, 1e-6, 1e-6));
    /// }
    /// ```
    #[track_caller]
    pub fn cross_cached<Lead, Q, K, M>(
        &self,
        x: &Tensor<shape![Lead.., Q, D], T>,
        keys: &Tensor<shape![Lead.., H, K, C], T>,
        values: &Tensor<shape![Lead.., H, K, C], T>,
        mask: M,
    ) -> Tensor<shape![Lead.., Q, D], T>
    where
        T: Float,
        Lead: Shape,
        Q: Axis,
        K: Axis,
        M: MaskFor<(Lead, H), Q, K, T>,
    {
        self.found(&self.projected(0, x), keys, values, mask, &mut Pass::eval())
    }

    /// The implementation of [`cross`](Self::cross).
    #[track_caller]
    fn attended<Lead, Q, K, M>(
        &self,
        x: &Tensor<shape![Lead.., Q, D], T>,
        context: &Tensor<shape![Lead.., K, D], T>,
        mask: M,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Q, D], T>
    where
        T: Float,
        Lead: Shape,
        Q: Axis,
        K: Axis,
        M: MaskFor<(Lead, H), Q, K, T>,
    {
        let queries = self.projected(0, x);
        let keys = self.projected(1, context);
        self.found(&queries, &keys, &self.projected(2, context), mask, pass)
    }

    /// The queries, keys or values of all heads, `[..lead, time, d] → [..lead, h, time, c]`, computed with
    /// one chunk of the rows of `in_proj_weight`.
    #[track_caller]
    fn projected<Lead: Shape, Time: Axis>(
        &self,
        chunk: usize,
        x: &Tensor<shape![Lead.., Time, D], T>,
    ) -> Tensor<shape![Lead.., H, Time, C], T>
    where
        T: Float,
    {
        let (rest, width) = x.shape();
        let rows = chunk * width.size()..(chunk + 1) * width.size();
        let weight: Tensor<shape![D, D], T> = self.in_proj_weight.slice_axis::<0, D>(rows.clone());
        let bias: Tensor<shape![D], T> = self.in_proj_bias.slice_axis::<0, D>(rows);
        let y: Tensor<shape![Lead.., Time, D], T> = linear(x, &weight, Some(&bias));
        let heads: Tensor<shape![Lead.., Time, H, C], T> =
            y.reshape_shaped(((rest, H::VALUE), C::VALUE));
        heads.swap_axes::<-3, -2>()
    }

    /// Applies the last layer to the outputs of the heads: `[..lead, h, time, c] → [..lead, time, d]`.
    #[track_caller]
    fn found<Lead, Q, K, M>(
        &self,
        queries: &Tensor<shape![Lead.., H, Q, C], T>,
        keys: &Tensor<shape![Lead.., H, K, C], T>,
        values: &Tensor<shape![Lead.., H, K, C], T>,
        mask: M,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Q, D], T>
    where
        T: Float,
        Lead: Shape,
        Q: Axis,
        K: Axis,
        M: MaskFor<(Lead, H), Q, K, T>,
    {
        let heads = if self.dropout.drops(pass) {
            let weights = self.dropout.forward(&weights(queries, keys, mask), pass);
            weights.matmul(&values.cast()).cast()
        } else {
            attention(queries, keys, values, mask)
        };
        let heads: Tensor<shape![Lead.., Q, H, C], T> = heads.swap_axes::<-3, -2>();
        let ((rest, _), _) = heads.shape();
        let ((), width) = self.out_proj.bias.shape();
        self.out_proj.forward(&heads.reshape_shaped((rest, width)))
    }
}

/// Self-attention without a mask.
impl<L, Time, J, D, H, C, T> Layer<Tensor<shape![L.., Time, J], T>>
    for MultiHeadAttention<D, H, C, T>
where
    (J,): AxisOfInput<J, D>,
    L: Shape,
    Time: Axis,
    J: Axis,
    D: Axis,
    H: StaticAxis,
    C: StaticAxis,
    T: Float,
{
    type Output = Tensor<InList<J, D, shape![L.., Time, D]>, T>;

    fn apply(&self, input: &Tensor<shape![L.., Time, J], T>, pass: &mut Pass) -> Self::Output {
        self.forward(same::<_, Tensor<shape![L.., Time, D], T>>(input), NoMask, pass)
    }
}
