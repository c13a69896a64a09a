//! Positions that are added to a sequence: sinusoidal, and learned.

use tensor_core::random::Generator;
use tensor_core::{Axis, Element, Float, Module, Shape, StaticShape, Tensor, shape, shapes};

use super::layer::no_input;
use super::{Layer, Pass};

/// Adds sines and cosines of the position to each element: `[..lead, time, d] → [..lead, time, d]`.
///
/// There are two layouts, and the parameters of a model are trained with one:
///
/// | constructor | channels | for |
/// | --- | --- | --- |
/// | [`interleaved`](Self::interleaved) | sine, cosine, sine, cosine …; pair `i` turns by `10000^(-2i / d)` | the article |
/// | [`halves`](Self::halves) | all sines, then all cosines; pair `i` turns by `10000^(-i / (d / 2 - 1))` | Whisper, Fairseq, tensor2tensor |
///
/// Source: Vaswani and others, "Attention is all you need", 2017.
///
/// ```
/// use tensor_core::{Tensor, axis, shape};
/// use tensor_nn::layers::SinusoidalPositions;
///
/// axis!(Time);
/// let positions = SinusoidalPositions::<Time, _>::interleaved(shape![Time(7), 64], 0);
/// let x: Tensor<shape![2, Time, 64]> = Tensor::zeros_shaped(shape![2, Time(7), 64]);
/// let y = positions.forward(&x);
/// assert_eq!((y[[1, 0, 0]], y[[1, 0, 1]]), (0.0, 1.0));
/// ```
///
/// A file does not have them: in a model that is opened, the field has `#[module(value = …)]` with one of these
/// functions.
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct SinusoidalPositions<Time: Axis, D: Axis, T: Element = f32> {
    /// The numbers of each position.
    #[module(skip)]
    table: Tensor<shape![Time, D], T>,
}

impl<Time: Axis, D: Axis, T: Float> SinusoidalPositions<Time, D, T> {
    /// The positions from `first` on, a sine and a cosine in turn.
    ///
    /// # Panics
    ///
    /// If the width is odd.
    ///
    /// ```
    /// use tensor_core::shape;
    /// use tensor_nn::layers::SinusoidalPositions;
    ///
    /// let positions = SinusoidalPositions::<_, _>::interleaved(shape![1, 4], 0);
    /// assert_eq!(positions.table().to_vec(), [0.0, 1.0, 0.0, 1.0]);
    /// ```
    #[track_caller]
    pub fn interleaved(shape: shape![Time, D], first: usize) -> Self {
        Self::of(shape, first, |channel, width| {
            (channel / 2, width as f64 / 2.0, channel.is_multiple_of(2))
        })
    }

    /// The positions from `first` on, all sines and then all cosines.
    ///
    /// # Panics
    ///
    /// If the width is odd.
    ///
    /// ```
    /// use tensor_core::shape;
    /// use tensor_nn::layers::SinusoidalPositions;
    ///
    /// let positions = SinusoidalPositions::<_, _>::halves(shape![1, 4], 0);
    /// assert_eq!(positions.table().to_vec(), [0.0, 0.0, 1.0, 1.0]);
    /// ```
    #[track_caller]
    pub fn halves(shape: shape![Time, D], first: usize) -> Self {
        Self::of(shape, first, |channel, width| {
            let half = width / 2;
            (channel % half, half.saturating_sub(1).max(1) as f64, channel < half)
        })
    }

    /// The table. From a channel and the width, `pair_of` computes the pair of the channel, the divisor of pairs in
    /// the exponent, and whether the channel is a sine.
    #[track_caller]
    fn of(
        shape: shape![Time, D],
        first: usize,
        pair_of: fn(usize, usize) -> (usize, f64, bool),
    ) -> Self {
        let (((), time), width) = shape;
        let width = width.size();
        assert!(width.is_multiple_of(2), "sinusoidal positions have an even width, not {width}");
        let element = |position: usize, channel: usize| {
            let (pair, pairs, is_sine) = pair_of(channel, width);
            let angle = position as f64 * 10_000_f64.powf(-(pair as f64) / pairs);
            T::from_f64(if is_sine { angle.sin() } else { angle.cos() })
        };
        let positions = first..first + time.size();
        let elements = positions.flat_map(|position| (0..width).map(move |c| (position, c)));
        let elements = elements.map(|(position, channel)| element(position, channel)).collect();
        let table = Tensor::from_vec_shaped(shape, elements).expect("a number for each element");
        Self { table }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<Time: Axis, D: Axis, T: Element> SinusoidalPositions<Time, D, T> {
    /// The numbers of each position, `[time, d]`.
    ///
    /// ```
    /// use tensor_core::shape;
    /// use tensor_nn::layers::SinusoidalPositions;
    ///
    /// let positions = SinusoidalPositions::<_, _>::halves(shape![3, 4], 0);
    /// assert_eq!(positions.table().shape(), shape![3, 4]);
    /// ```
    pub fn table(&self) -> &Tensor<shape![Time, D], T> {
        &self.table
    }

    /// The input with the numbers of its positions added, `[..lead, time, d] → [..lead, time, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis has another size than the positions.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    /// use tensor_nn::layers::SinusoidalPositions;
    ///
    /// let positions = SinusoidalPositions::<_, _>::halves(shape![3, 4], 0);
    /// let x = Tensor::<shape![2, 3, 4]>::zeros();
    /// assert_eq!(&positions.forward(&x).index::<0>(1), positions.table());
    /// ```
    #[track_caller]
    pub fn forward<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., Time, D], T>,
    ) -> Tensor<shape![Lead.., Time, D], T>
    where
        T: Float,
    {
        x + &self.table
    }
}

/// Adds a learned vector to each element of a sequence, `[..lead, time, d] → [..lead, time, d]`, from a table of
/// `P` positions: GPT-2's `wpe`, BERT's `position_embeddings`.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::LearnedPositions;
///
/// axis!(Time);
/// let positions: LearnedPositions<dim!(1024), dim!(64)> =
///     LearnedPositions::new(&mut Generator::seed(42));
/// let x: Tensor<shape![2, Time, 64]> = Tensor::zeros_shaped(shape![2, Time(5), 64]);
/// assert_eq!(positions.forward(&x, 0).shape(), x.shape());
/// // The next token, with the 5 before it in a cache.
/// let token = positions.forward(&Tensor::<shape![2, 1, 64]>::zeros(), 5);
/// # let _ = token;
/// ```
#[doc(alias = "wpe")]
#[doc(alias = "position_embeddings")]
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct LearnedPositions<P: Axis, D: Axis, T: Element = f32> {
    /// A row for each position.
    pub weight: Tensor<shape![P, D], T>,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<P: Axis, D: Axis, T: Element> LearnedPositions<P, D, T> {
    /// Initialises the vectors from a normal distribution with mean 0 and deviation 0.02, as GPT-2 and BERT do.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::LearnedPositions;
    ///
    /// let positions: LearnedPositions<dim!(1024), dim!(64)> =
    ///     LearnedPositions::new(&mut Generator::seed(42));
    /// assert!((positions.weight.std().item() - 0.02).abs() < 0.001);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        shape![P, D]: StaticShape,
        T: Float,
    {
        Self { weight: rng.normal(T::from_f64(0.0), T::from_f64(0.02)) }
    }

    /// The input with the vectors of its positions added, which begin at `first`:
    /// `[..lead, time, d] → [..lead, time, d]`.
    ///
    /// # Panics
    ///
    /// If the sequence reaches beyond the table.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::LearnedPositions;
    ///
    /// let positions = LearnedPositions { weight: tensor![[1.0], [2.0], [3.0]] };
    /// assert_eq!(positions.forward(&tensor![[10.0], [10.0]], 1), tensor![[12.0], [13.0]]);
    /// ```
    #[track_caller]
    pub fn forward<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, D], T>,
        first: usize,
    ) -> Tensor<shape![Lead.., Time, D], T>
    where
        T: Float,
    {
        let (((_, time), _), ((_, positions), _)) = (x.shape(), self.weight.shape());
        let end = first.saturating_add(time.size());
        assert!(
            end <= positions.size(),
            "there are {} positions, and the sequence has positions {first} to {end}",
            positions.size(),
        );
        x + self.weight.slice_axis::<0, Time>(first..end)
    }
}

impl<Lead: Shape, Time: Axis, D: Axis, T: Float> Layer<Tensor<shape![Lead.., Time, D], T>>
    for SinusoidalPositions<Time, D, T>
{
    type Output = Tensor<shape![Lead.., Time, D], T>;

    fn apply(&self, input: &Tensor<shape![Lead.., Time, D], T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}

/// Positions from 0 on.
impl<Lead: Shape, Time: Axis, P: Axis, D: Axis, T: Float> Layer<Tensor<shape![Lead.., Time, D], T>>
    for LearnedPositions<P, D, T>
{
    type Output = Tensor<shape![Lead.., Time, D], T>;

    fn apply(&self, input: &Tensor<shape![Lead.., Time, D], T>, _: &mut Pass) -> Self::Output {
        self.forward(input, 0)
    }
}

no_input! {
    [Time: Axis, D: Axis, T: Float] SinusoidalPositions<Time, D, T>;
    [P: Axis, D: Axis, T: Float] LearnedPositions<P, D, T>;
}
