//! Rotary position embeddings.

use tensor_core::splitting::ChunkAxis;
use tensor_core::{
    Axis, Element, Float, IndexError, Module, Shape, StaticAxis, Tensor, axis, dim, shape, shapes,
};

use super::layer::no_input;
use super::{Halves, Interleaved, Layer, Pass};
use crate::numbers::positive;

mod scaling;

pub use scaling::RotaryScaling;

axis!(Pairs);

/// Channels of which two are a pair that is rotated: [`Halves`] or [`Interleaved`].
///
/// ```
/// use tensor_core::dim;
/// use tensor_nn::layers::{Halves, Interleaved, RotaryPairs};
///
/// assert_eq!(Halves::<dim!(8)>::pair(5, 8), (1, false));
/// assert_eq!(Interleaved::<dim!(8)>::pair(5, 8), (2, false));
/// ```
#[diagnostic::on_unimplemented(
    message = "channels `{Self}` do not state which two are a rotary pair",
    label = "expected `Halves<{Self}>` or `Interleaved<{Self}>`",
    note = "the weights of queries and keys decide: `Halves` for GPT-NeoX and for LLaMA in Hugging Face's files, `Interleaved` for GPT-J and for LLaMA in Meta's files [N109]"
)]
pub trait RotaryPairs: Axis {
    /// The pair of a channel of `channels`, and whether it is the first of both.
    fn pair(channel: usize, channels: usize) -> (usize, bool);

    /// Each channel at the index of the other one of its pair, `[..lead, c] → [..lead, c]`.
    fn partners<Lead: Shape, T: Element>(
        x: &Tensor<shape![Lead.., Self], T>,
    ) -> Tensor<shape![Lead.., Self], T>;
}

/// The bound that functions require: [`RotaryPairs`] under another name, so that a message is about the call
/// only and lists no impls.
#[diagnostic::on_unimplemented(
    message = "channels `{Self}` do not state which two are a rotary pair",
    label = "expected `Halves<{Self}>` or `Interleaved<{Self}>`",
    note = "the weights of queries and keys decide: `Halves` for GPT-NeoX and for LLaMA in Hugging Face's files, `Interleaved` for GPT-J and for LLaMA in Meta's files [N109]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait PairedChannels: RotaryPairs {}

#[diagnostic::do_not_recommend]
impl<C: RotaryPairs> PairedChannels for C {}

impl<A: Axis> RotaryPairs for Halves<A> {
    fn pair(channel: usize, channels: usize) -> (usize, bool) {
        let half = channels / 2;
        (channel % half, channel < half)
    }

    fn partners<Lead: Shape, T: Element>(
        x: &Tensor<shape![Lead.., Self], T>,
    ) -> Tensor<shape![Lead.., Self], T> {
        let (_, channels) = x.shape();
        x.roll::<-1>((channels.size() / 2) as isize)
    }
}

impl<A: Axis> RotaryPairs for Interleaved<A> {
    fn pair(channel: usize, _: usize) -> (usize, bool) {
        (channel / 2, channel.is_multiple_of(2))
    }

    fn partners<Lead: Shape, T: Element>(
        x: &Tensor<shape![Lead.., Self], T>,
    ) -> Tensor<shape![Lead.., Self], T> {
        let (lead, channels) = x.shape();
        let pairs: Tensor<shape![Lead.., Pairs, 2], T> =
            x.reshape_shaped(((lead, Pairs(channels.size() / 2)), <dim!(2)>::VALUE));
        pairs.roll::<-1>(1).reshape_shaped((lead, channels))
    }
}

/// Rotates pairs of channels by angles that grow with the position, so that products of queries and keys
/// depend on their relative positions: `[..lead, time, c] → [..lead, time, c]`.
///
/// Pair `i` of `c / 2` at position `p` is rotated by `p · base^(-2i / c)`. The axis of the channels states which two
/// are a pair, since a model with the wrong pairs runs and computes nonsense:
///
/// | axis | a pair | for |
/// | --- | --- | --- |
/// | [`Halves<C>`](Halves) | channels `i` and `c / 2 + i` | GPT-NeoX; LLaMA, Mistral, Qwen in Hugging Face's files |
/// | [`Interleaved<C>`](Interleaved) | channels `2i` and `2i + 1` | the article, GPT-J; LLaMA in Meta's files |
///
/// [`Halves::of`] and [`Interleaved::of`] convert channels,
/// [`GroupedQueryAttention::halves`](super::GroupedQueryAttention::halves) the weights of a layer.
///
/// Source: Su, Lu, Pan, Murtadha, Wen and Liu, "RoFormer", 2021.
///
/// ```
/// use tensor_core::{Tensor, dim, shape};
/// use tensor_nn::layers::{Halves, RotaryPositions};
///
/// type Channels = Halves<dim!(64)>;
/// let positions: RotaryPositions<dim!(128), Channels> = RotaryPositions::new();
/// let queries = Tensor::<shape![2, 12, 128, Channels]>::ones();
/// let turned = positions.forward(&queries);
/// assert_eq!(turned[[0, 0, 0, 5]], 1.0);
/// // A turn keeps lengths.
/// assert!((turned.square().sum().item() / queries.sum().item() - 1.0).abs() < 1e-5);
/// ```
///
/// A file does not have them: in a model that is opened, the field has `#[module(value = RotaryPositions::new())]`.
#[doc(alias = "RoPE")]
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct RotaryPositions<Time: Axis, C: Axis, T: Element = f32> {
    /// The cosine of the angle of each position and channel.
    #[module(skip)]
    cos: Tensor<shape![Time, C], T>,
    /// The sine of the angle, with the sign of its term for each channel.
    #[module(skip)]
    signed_sin: Tensor<shape![Time, C], T>,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<Time: Axis, C: Axis, T: Element> RotaryPositions<Time, C, T> {
    /// The positions from 0 on, with the base 10,000 of the article. The number of channels is even.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::{Halves, RotaryPositions};
    ///
    /// let positions: RotaryPositions<dim!(1), Halves<dim!(4)>> = RotaryPositions::new();
    /// let x = Tensor::<shape![1, Halves<dim!(4)>]>::ones();
    /// assert_eq!(positions.forward(&x), x);
    /// ```
    #[expect(clippy::new_without_default, reason = "layers are made by `new`")]
    pub fn new() -> Self
    where
        T: Float,
        C: PairedChannels,
        shape![C]: ChunkAxis<0, 2>,
        Time: StaticAxis,
        C: StaticAxis,
    {
        Self::new_shaped((((), Time::VALUE), C::VALUE), 10_000.0, 0)
    }

    /// The positions from `first` on, for a size known at run time, with any base: `rope_theta` in Hugging Face's
    /// configurations.
    ///
    /// # Panics
    ///
    /// If the base is not finite and larger than 0.
    ///
    /// ```
    /// use tensor_core::{StaticAxis, Tensor, axis, dim, shape};
    /// use tensor_nn::layers::{Halves, RotaryPositions};
    ///
    /// axis!(Time);
    /// type Channels = Halves<dim!(4)>;
    /// let shape: shape![Time, Channels] = (((), Time(3)), Channels::VALUE);
    /// let positions = RotaryPositions::<Time, Channels>::new_shaped(shape, 10_000.0, 7);
    /// let x = Tensor::ones_shaped(shape);
    /// assert_ne!(positions.forward(&x), x);
    /// ```
    #[doc(alias = "rope_theta")]
    #[track_caller]
    pub fn new_shaped(shape: shape![Time, C], base: f64, first: usize) -> Self
    where
        T: Float,
        C: PairedChannels,
        shape![C]: ChunkAxis<0, 2>,
    {
        Self::new_scaled(shape, base, first, RotaryScaling::None)
    }

    /// [`new_shaped`](Self::new_shaped) with scaled angles, for texts that are longer than those that the model was
    /// trained with first: `rope_scaling` in Hugging Face's configurations.
    ///
    /// # Panics
    ///
    /// If the base or a number of the scaling is not finite and larger than 0.
    ///
    /// ```
    /// use tensor_core::{StaticAxis, axis, dim, shape};
    /// use tensor_nn::layers::{Halves, RotaryPositions, RotaryScaling};
    ///
    /// axis!(Time);
    /// type Channels = Halves<dim!(64)>;
    /// let shape: shape![Time, Channels] = (((), Time(9)), Channels::VALUE);
    /// // As Llama 3.1 has it.
    /// let scaling = RotaryScaling::Llama3 {
    ///     factor: 8.0,
    ///     low_freq_factor: 1.0,
    ///     high_freq_factor: 4.0,
    ///     original_max_position_embeddings: 8192,
    /// };
    /// let positions = RotaryPositions::<Time, Channels>::new_scaled(shape, 500_000.0, 0, scaling);
    /// # let _ = positions;
    /// ```
    #[doc(alias = "rope_scaling")]
    #[track_caller]
    pub fn new_scaled(
        shape: shape![Time, C],
        base: f64,
        first: usize,
        scaling: RotaryScaling,
    ) -> Self
    where
        T: Float,
        C: PairedChannels,
        shape![C]: ChunkAxis<0, 2>,
    {
        positive("the base of rotary positions", base);
        let (((), time), channels) = shape;
        let frequencies = scaling.frequencies(base, channels.size());
        let factor = scaling.attention_factor();
        let angles = |function: fn(f64) -> f64, sign: f64| {
            let mut elements = Vec::with_capacity(time.size() * channels.size());
            for position in first..first + time.size() {
                for channel in 0..channels.size() {
                    let (pair, is_first) = C::pair(channel, channels.size());
                    let scale = if is_first { sign * factor } else { factor };
                    elements
                        .push(T::from_f64(scale * function(position as f64 * frequencies[pair])));
                }
            }
            Tensor::from_vec_shaped(shape, elements)
                .expect("an element for each position and channel")
        };
        Self { cos: angles(f64::cos, 1.0), signed_sin: angles(f64::sin, -1.0) }
    }
}

impl<Time: Axis, C: Axis, T: Element> RotaryPositions<Time, C, T> {
    /// A range of the positions, without a copy: one table serves all steps of a generation.
    ///
    /// # Panics
    ///
    /// If the range is not within the positions, or has another size than a static `New`.
    ///
    /// ```
    /// use tensor_core::{One, Tensor, dim, shape};
    /// use tensor_nn::layers::{Halves, RotaryPositions};
    ///
    /// type Channels = Halves<dim!(64)>;
    /// let positions: RotaryPositions<dim!(2048), Channels> = RotaryPositions::new();
    /// let key = Tensor::<shape![8, 1, Channels]>::ones();
    /// let turned = positions.part::<One>(7..8).forward(&key);
    /// # let _ = turned;
    /// ```
    #[track_caller]
    pub fn part<New: Axis>(&self, range: core::ops::Range<usize>) -> RotaryPositions<New, C, T> {
        RotaryPositions {
            cos: self.cos.slice_axis::<0, New>(range.clone()),
            signed_sin: self.signed_sin.slice_axis::<0, New>(range),
        }
    }

    /// The positions with these indices, `[new]`, which may be computed by a program: those of
    /// [`KvCache::next_positions`](super::KvCache::next_positions).
    ///
    /// # Errors
    ///
    /// The first index that is out of range; in a program, it is that of the nearest position.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::{Halves, RotaryPositions};
    ///
    /// let positions: RotaryPositions<dim!(2048), Halves<dim!(64)>> = RotaryPositions::new();
    /// assert_eq!(positions.at(&tensor![7, 8])?, positions.part(7..9));
    /// # Ok::<(), tensor_core::IndexError>(())
    /// ```
    pub fn at<New: Axis>(
        &self,
        indices: &Tensor<shape![New], i64>,
    ) -> Result<RotaryPositions<New, C, T>, IndexError> {
        Ok(RotaryPositions {
            cos: self.cos.take::<0, _>(indices)?,
            signed_sin: self.signed_sin.take::<0, _>(indices)?,
        })
    }

    /// Queries or keys rotated by their positions, `[..lead, time, c] → [..lead, time, c]`.
    ///
    /// # Panics
    ///
    /// If a named axis has another size than the positions.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::{Interleaved, RotaryPositions};
    ///
    /// type Channels = Interleaved<dim!(64)>;
    /// let positions: RotaryPositions<dim!(128), Channels> = RotaryPositions::new();
    /// let keys = Tensor::<shape![12, 128, Channels]>::zeros();
    /// assert_eq!(positions.forward(&keys), keys);
    /// ```
    #[track_caller]
    pub fn forward<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., Time, C], T>,
    ) -> Tensor<shape![Lead.., Time, C], T>
    where
        T: Float,
        C: RotaryPairs,
    {
        x * &self.cos + C::partners(x) * &self.signed_sin
    }
}

impl<Lead: Shape, Time: Axis, C: RotaryPairs, T: Float> Layer<Tensor<shape![Lead.., Time, C], T>>
    for RotaryPositions<Time, C, T>
{
    type Output = Tensor<shape![Lead.., Time, C], T>;

    fn apply(&self, input: &Tensor<shape![Lead.., Time, C], T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}

no_input! {
    [Time: Axis, C: Axis, T: Float] RotaryPositions<Time, C, T>;
}
