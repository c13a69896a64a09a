//! Attention masks: which keys a query may attend to.

use tensor_core::broadcast::ExpandTo;
use tensor_core::{Axis, Element, Float, Shape, Tensor, select, shape};

/// A mask of attention scores `[..lead, q, k]`, of `Q` queries and `K` keys, applied before the softmax.
///
/// A query that may attend to no key has the result 0 and zero gradients, as in PyTorch's
/// `scaled_dot_product_attention`. A mask simply sets all of its scores to -∞.
///
/// | mask | a query may attend to |
/// | --- | --- |
/// | [`NoMask`] | all keys |
/// | [`Causal`] | its own position and those before |
/// | [`CausalLowerRight`] | the same, where the queries are the last positions of the keys: with a cache |
/// | [`Allowed`] | the keys that are `true` in a table `[q, k]`, the same for all examples and heads |
/// | [`KeyPadding`] | the keys that are `true` in a table `[..batch, k]`, for each example: padding, the `attention_mask` of Hugging Face |
/// | [`AdditiveMask`] | all keys, with numbers added to the scores: a table `[q, k]`, or any tensor that broadcasts to the scores |
/// | `(first, second)` | the keys that both masks allow |
/// | `Option<mask>` | the keys that the mask allows, or all |
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::{Causal, Mask};
///
/// let scores = tensor![[1.0, 2.0], [3.0, 4.0]];
/// assert_eq!(Causal.masked(scores), tensor![[1.0, f32::NEG_INFINITY], [3.0, 4.0]]);
/// ```
///
/// Causal attention to texts that are padded, `src_mask` and `key_padding_mask` in PyTorch:
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape, tensor};
/// use tensor_nn::layers::{Causal, KeyPadding, MultiHeadAttention, Pass};
///
/// let mut rng = Generator::seed(42);
/// let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> = MultiHeadAttention::new(&mut rng);
/// let texts: Tensor<shape![2, 3, 8]> = rng.normal(0.0, 1.0);
/// // Hugging Face's tokenizers give 1 for a word and 0 for padding.
/// let attention_mask = tensor![[1, 1, 1], [1, 1, 0]];
/// let has_word = attention_mask.not_equal(0);
/// let y = layer.forward(&texts, (Causal, KeyPadding(&has_word)), &mut Pass::eval());
/// assert_eq!(y.shape(), texts.shape());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no mask for attention of queries `{Q}` to keys `{K}` in shape `{Lead}`",
    label = "this mask has other axes than the scores",
    note = "the scores are `[..lead, heads, queries, keys]`: `Causal`, `NoMask`, `Allowed(&table)` with a table `[queries, keys]`, or `KeyPadding(&table)` with a table `[..lead, keys]` [N103]"
)]
pub trait Mask<Lead, Q, K, T: Element>: Copy {
    /// Whether the mask takes the first query for the first position.
    #[doc(hidden)]
    fn begins_at_0(self) -> bool {
        false
    }

    /// Sets the scores that are not allowed to `-∞`, `[..lead, q, k] → [..lead, q, k]`.
    fn masked(self, scores: Tensor<shape![Lead.., Q, K], T>) -> Tensor<shape![Lead.., Q, K], T>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis;

    /// [`masked`](Self::masked) in the type of the scores of `T`, which is `f32` for 16-bit floats.
    #[doc(hidden)]
    #[track_caller]
    fn masked_wide(
        self,
        scores: Tensor<shape![Lead.., Q, K], T::Wide>,
    ) -> Tensor<shape![Lead.., Q, K], T::Wide>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
        T: Float,
    {
        self.masked(scores.cast()).cast()
    }

    /// The diagonal of the table `[q, k]` up to which keys are allowed, if the mask has no other condition.
    #[doc(hidden)]
    fn diagonal(self, _queries: usize, _keys: usize) -> Option<isize> {
        None
    }
}

/// The bound that functions require: [`Mask`] under another name, so that a message is about the call
/// only and lists no impls.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no mask for attention of queries `{Q}` to keys `{K}` in shape `{Lead}`",
    label = "this mask has other axes than the scores",
    note = "the scores are `[..lead, heads, queries, keys]`: `Causal`, `NoMask`, `Allowed(&table)` with a table `[queries, keys]`, or `KeyPadding(&table)` with a table `[..lead, keys]` [N103]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait MaskFor<Lead, Q, K, T: Element>: Mask<Lead, Q, K, T> {}

#[diagnostic::do_not_recommend]
impl<M: Mask<Lead, Q, K, T>, Lead, Q, K, T: Element> MaskFor<Lead, Q, K, T> for M {}

/// Every query attends to all keys.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::{Mask, NoMask};
///
/// assert_eq!(NoMask.masked(tensor![[1.0, 2.0]]), tensor![[1.0, 2.0]]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoMask;

/// A query attends to its own position and those before, for autoregressive models. If there are
/// more keys than queries, both begin at position 0, as with PyTorch's `is_causal`; where the queries are the last
/// positions of the keys, as with a cache, it is [`CausalLowerRight`]. Layers with a cache that is not empty, or of
/// fixed capacity, refuse `Causal`; [`attention`](super::attention()) cannot know which positions its queries have.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::{Causal, Mask};
///
/// let masked = Causal.masked(tensor![[1.0, 2.0], [3.0, 4.0]]);
/// assert_eq!(masked[[0, 1]], f32::NEG_INFINITY);
/// ```
#[doc(alias = "is_causal")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causal;

/// [`Causal`] where the queries are the last positions of the keys, as with a
/// [`KvCache`](super::KvCache): query `i` of `q` attends to the first `k - q + i + 1` of `k` keys. PyTorch's
/// `causal_lower_right`.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::{CausalLowerRight, Mask};
///
/// let masked = CausalLowerRight.masked(tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// assert_eq!(masked, tensor![[1.0, 2.0, f32::NEG_INFINITY], [4.0, 5.0, 6.0]]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CausalLowerRight;

/// A table `[q, k]` that is `true` where a query may attend to a key, as in PyTorch's
/// `scaled_dot_product_attention`. The masks of PyTorch's `nn.MultiheadAttention` have the opposite meaning.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::{Allowed, Mask};
///
/// let masked = Allowed(&tensor![[false, true]]).masked(tensor![[1.0, 2.0]]);
/// assert_eq!(masked, tensor![[f32::NEG_INFINITY, 2.0]]);
/// ```
#[doc(alias = "attn_mask")]
#[doc(alias = "src_mask")]
#[derive(Clone, Copy, Debug)]
pub struct Allowed<'a, Q: Axis, K: Axis>(pub &'a Tensor<(((), Q), K), bool>);

/// A table `[..batch, k]` that is `true` where an example has a key, and `false` where it is padding; for
/// scores `[..batch, heads, q, k]`. It is Hugging Face's `attention_mask`, as `mask.not_equal(0)`, and the opposite
/// of the `key_padding_mask` of PyTorch's `nn.MultiheadAttention`, which is `true` for padding.
///
/// ```
/// use tensor_core::{Tensor, shape, tensor};
/// use tensor_nn::layers::{KeyPadding, Mask};
///
/// // The second text has one word.
/// let has_word = tensor![[true, true], [true, false]];
/// let scores = Tensor::<shape![2, 1, 1, 2]>::ones();
/// let weights = KeyPadding(&has_word).masked(scores).softmax::<-1>();
/// assert_eq!(weights, tensor![[[[0.5, 0.5]]], [[[1.0, 0.0]]]]);
/// ```
#[doc(alias = "key_padding_mask")]
#[doc(alias = "attention_mask")]
#[derive(Clone, Copy, Debug)]
pub struct KeyPadding<'a, Batch: Shape, K: Axis>(pub &'a Tensor<(Batch, K), bool>);

/// Numbers that are added to the scores, for example a bias towards near positions: a table `[q, k]`, or any tensor that
/// broadcasts to the scores, such as `[batch, 1, 1, k]`.
///
/// Source: Press, Smith and Lewis, "Train short, test long: attention with linear biases", 2022.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::{AdditiveMask, Mask};
///
/// assert_eq!(AdditiveMask(&tensor![[0.0, -1.0]]).masked(tensor![[1.0, 2.0]]), tensor![[1.0, 1.0]]);
///
/// // One for each of two examples.
/// let of_examples = tensor![[[0.0, -1.0]], [[-2.0, 0.0]]];
/// let masked = AdditiveMask(&of_examples).masked(tensor![[[1.0, 2.0]], [[1.0, 2.0]]]);
/// assert_eq!(masked, tensor![[[1.0, 1.0]], [[-1.0, 2.0]]]);
/// ```
#[doc(alias = "attn_mask")]
#[derive(Clone, Copy, Debug)]
pub struct AdditiveMask<'a, S: Shape, T: Element = f32>(pub &'a Tensor<S, T>);

/// Generates `masked_wide` of a mask that masks scores of any float type alike.
macro_rules! of_any_float {
    ($Lead:ty) => {
        #[track_caller]
        fn masked_wide(
            self,
            scores: Tensor<(($Lead, Q), K), T::Wide>,
        ) -> Tensor<(($Lead, Q), K), T::Wide>
        where
            $Lead: Shape,
            Q: Axis,
            K: Axis,
            T: Float,
        {
            Mask::<$Lead, Q, K, T::Wide>::masked(self, scores)
        }
    };
}

impl<Lead, Q, K, T: Element> Mask<Lead, Q, K, T> for NoMask {
    of_any_float!(Lead);

    fn masked(self, scores: Tensor<shape![Lead.., Q, K], T>) -> Tensor<shape![Lead.., Q, K], T>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
    {
        scores
    }

    fn diagonal(self, _: usize, _: usize) -> Option<isize> {
        Some(isize::MAX)
    }
}

impl<Lead, Q, K, T: Float> Mask<Lead, Q, K, T> for Causal {
    of_any_float!(Lead);

    fn begins_at_0(self) -> bool {
        true
    }

    fn masked(self, scores: Tensor<shape![Lead.., Q, K], T>) -> Tensor<shape![Lead.., Q, K], T>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
    {
        causal(scores, 0)
    }

    fn diagonal(self, _: usize, _: usize) -> Option<isize> {
        Some(0)
    }
}

impl<Lead, Q, K, T: Float> Mask<Lead, Q, K, T> for CausalLowerRight {
    of_any_float!(Lead);

    fn masked(self, scores: Tensor<shape![Lead.., Q, K], T>) -> Tensor<shape![Lead.., Q, K], T>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
    {
        let ((_, queries), keys) = scores.shape();
        causal(scores, keys.size() as isize - queries.size() as isize)
    }

    fn diagonal(self, queries: usize, keys: usize) -> Option<isize> {
        Some(keys as isize - queries as isize)
    }
}

/// Checks that a mask is right for queries after this many positions in a cache.
///
/// # Panics
///
/// If it takes the first query for the first position, and there are others before, or may be: `None`.
#[track_caller]
pub(super) fn check_cached<M: Mask<Lead, Q, K, T>, Lead, Q, K, T: Element>(
    mask: M,
    before: Option<usize>,
) {
    if !mask.begins_at_0() || before == Some(0) {
        return;
    }
    let why = match before {
        Some(before) => format!("the cache has {before} positions before them"),
        None => "a cache of fixed capacity may have others before them".to_owned(),
    };
    panic!(
        "the mask `Causal` counts the queries from position 0, and {why}: use `CausalLowerRight`"
    );
}

/// Allows the keys up to the diagonal with this number, `[..lead, q, k] → [..lead, q, k]`.
fn causal<Lead: Shape, Q: Axis, K: Axis, T: Float>(
    scores: Tensor<shape![Lead.., Q, K], T>,
    diagonal: isize,
) -> Tensor<shape![Lead.., Q, K], T> {
    // If the first query attends to all, so do the others.
    match diagonal.saturating_add(1) >= scores.shape().1.size() as isize {
        true => scores,
        false => scores.tril_or(diagonal, T::from_f64(f64::NEG_INFINITY)),
    }
}

/// The table of the keys up to the diagonal with this number, `[q, k]`; `None` if these are all.
pub(super) fn up_to_diagonal<Q: Axis, K: Axis>(
    queries: Q,
    keys: K,
    diagonal: isize,
) -> Option<Tensor<shape![Q, K], bool>> {
    // If the first query attends to all, so do the others.
    let is_all = diagonal.saturating_add(1) >= keys.size() as isize;
    (!is_all).then(|| Tensor::full_shaped((((), queries), keys), true).tril(diagonal))
}

impl<Lead, Q: Axis, K: Axis, T: Float> Mask<Lead, Q, K, T> for Allowed<'_, Q, K> {
    of_any_float!(Lead);

    #[track_caller]
    fn masked(self, scores: Tensor<shape![Lead.., Q, K], T>) -> Tensor<shape![Lead.., Q, K], T>
    where
        Lead: Shape,
    {
        select(self.0, scores, T::from_f64(f64::NEG_INFINITY))
    }
}

impl<Batch: Shape, Heads: Axis, Q, K: Axis, T: Float> Mask<(Batch, Heads), Q, K, T>
    for KeyPadding<'_, Batch, K>
{
    of_any_float!((Batch, Heads));

    #[track_caller]
    fn masked(
        self,
        scores: Tensor<shape![Batch.., Heads, Q, K], T>,
    ) -> Tensor<shape![Batch.., Heads, Q, K], T>
    where
        Q: Axis,
    {
        let of_all = self.0.unsqueeze::<-2>().unsqueeze::<-2>();
        select(of_all, scores, T::from_f64(f64::NEG_INFINITY))
    }
}

impl<Lead, Q, K, S, T> Mask<Lead, Q, K, T> for AdditiveMask<'_, S, T>
where
    Lead: Shape,
    Q: Axis,
    K: Axis,
    S: Shape + ExpandTo<shape![Lead.., Q, K]>,
    T: Float,
{
    #[track_caller]
    fn masked(self, scores: Tensor<shape![Lead.., Q, K], T>) -> Tensor<shape![Lead.., Q, K], T> {
        let shape = scores.shape();
        scores + self.0.expand_shaped(shape)
    }

    #[track_caller]
    fn masked_wide(
        self,
        scores: Tensor<shape![Lead.., Q, K], T::Wide>,
    ) -> Tensor<shape![Lead.., Q, K], T::Wide> {
        let shape = scores.shape();
        scores + self.0.cast::<T::Wide>().expand_shaped(shape)
    }
}

impl<Lead, Q, K, T, First, Second> Mask<Lead, Q, K, T> for (First, Second)
where
    T: Element,
    First: Mask<Lead, Q, K, T>,
    Second: Mask<Lead, Q, K, T>,
{
    fn begins_at_0(self) -> bool {
        self.0.begins_at_0() || self.1.begins_at_0()
    }

    #[track_caller]
    fn masked(self, scores: Tensor<shape![Lead.., Q, K], T>) -> Tensor<shape![Lead.., Q, K], T>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
    {
        self.1.masked(self.0.masked(scores))
    }

    #[track_caller]
    fn masked_wide(
        self,
        scores: Tensor<shape![Lead.., Q, K], T::Wide>,
    ) -> Tensor<shape![Lead.., Q, K], T::Wide>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
        T: Float,
    {
        self.1.masked_wide(self.0.masked_wide(scores))
    }

    fn diagonal(self, queries: usize, keys: usize) -> Option<isize> {
        Some(self.0.diagonal(queries, keys)?.min(self.1.diagonal(queries, keys)?))
    }
}

impl<Lead, Q, K, T, M> Mask<Lead, Q, K, T> for Option<M>
where
    T: Element,
    M: Mask<Lead, Q, K, T>,
{
    fn begins_at_0(self) -> bool {
        self.is_some_and(M::begins_at_0)
    }

    #[track_caller]
    fn masked(self, scores: Tensor<shape![Lead.., Q, K], T>) -> Tensor<shape![Lead.., Q, K], T>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
    {
        match self {
            Some(mask) => mask.masked(scores),
            None => scores,
        }
    }

    #[track_caller]
    fn masked_wide(
        self,
        scores: Tensor<shape![Lead.., Q, K], T::Wide>,
    ) -> Tensor<shape![Lead.., Q, K], T::Wide>
    where
        Lead: Shape,
        Q: Axis,
        K: Axis,
        T: Float,
    {
        match self {
            Some(mask) => mask.masked_wide(scores),
            None => scores,
        }
    }

    fn diagonal(self, queries: usize, keys: usize) -> Option<isize> {
        self.map_or(Some(isize::MAX), |mask| mask.diagonal(queries, keys))
    }
}
