//! Transposed convolutions.

use tensor_core::random::Generator;
use tensor_core::windows::{
    self, ConvSettings, ConvolveTransposed, ConvolvedTransposed, TimesGroups,
};
use tensor_core::{Axis, Element, Float, Module, Shape, StaticShape, Tensor, shape, shapes};

use super::convolution::{with_bias1d, with_bias2d};
use super::initial::uniform;
use super::{Bias, BiasFor, Layer, Pass};

/// The transposed convolution along one axis, `[..lead, i, n] → [..lead, o, m]`: PyTorch's
/// `nn.ConvTranspose1d`.
///
/// With groups, `O` is the number of outputs of one group, and the bias has one element for each output
/// of all groups. [`Options1d`](super::Options1d) are options.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{ConvTranspose1d, Options1d};
///
/// let twice: ConvTranspose1d<dim!(8), dim!(2), dim!(2), Options1d<2>> =
///     ConvTranspose1d::new(&mut Generator::seed(42));
/// assert_eq!(twice.forward(&Tensor::<shape![8, 50]>::ones()).shape(), shape![2, 100]);
/// ```
#[doc(alias = "deconvolution")]
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
#[module(bound(Options: Default))]
pub struct ConvTranspose1d<
    I: Axis,
    O: Axis,
    K: Axis,
    Options = windows::Conv1dOptions,
    T: Element = f32,
    B = Tensor<shape![O], T>,
> {
    /// The kernel of each input channel for each output channel, as in PyTorch.
    pub weight: Tensor<shape![I, O, K], T>,
    /// One element for each output, or [`NoBias`](super::NoBias).
    pub bias: B,
    /// The stride, padding, dilation and groups, fixed by the type.
    #[module(skip, value = Options::default())]
    pub options: Options,
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, K: Axis, Options, T: Element> ConvTranspose1d<I, O, K, Options, T> {
    /// Initialises parameters uniformly within `±1 / √(o · k)`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::ConvTranspose1d;
    ///
    /// let layer: ConvTranspose1d<dim!(8), dim!(5), dim!(5)> =
    ///     ConvTranspose1d::new(&mut Generator::seed(42));
    /// assert!(layer.weight.abs().max().item() <= 0.2);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        shape![I, O, K]: StaticShape,
        Options: Default,
        T: Float,
    {
        let shape @ ((_, o), k) = <shape![I, O, K]>::VALUE;
        let inputs = o.size() * k.size();
        let (weight, bias) = (uniform(rng, shape, inputs), uniform(rng, ((), o), inputs));
        Self { weight, bias, options: Options::default() }
    }
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, K: Axis, SX, G, T: Element, B>
    ConvTranspose1d<I, O, K, windows::Conv1dOptions<SX, G>, T, B>
{
    /// Computes the transposed convolution, `[..lead, i, n] → [..lead, p, m]`, with `p = o · groups` and
    /// `m = (n - 1) stride + (k - 1) dilation + 1 + output padding - padding`.
    ///
    /// # Panics
    ///
    /// If a named axis of the channels has another size than in the weight.
    ///
    /// ```
    /// use tensor_core::{tensor, windows};
    /// use tensor_nn::layers::ConvTranspose1d;
    ///
    /// let (weight, bias) = (tensor![[[1.0, 10.0]]], tensor![0.5]);
    /// let layer = ConvTranspose1d { weight, bias, options: windows::Conv1dOptions::new().stride::<2>() };
    /// assert_eq!(layer.forward(&tensor![[1.0, 2.0]]), tensor![[1.5, 10.5, 2.5, 20.5]]);
    /// ```
    #[track_caller]
    pub fn forward<S>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<ConvolvedTransposed<S, shape![I, O, K], windows::Conv1dOptions<SX, G>>, T>
    where
        T: Float,
        S: Shape + ConvolveTransposed<shape![I, O, K], windows::Conv1dOptions<SX, G>>,
        windows::Conv1dOptions<SX, G>: ConvSettings,
        O: TimesGroups<G>,
        B: BiasFor<O::Channels, T>,
    {
        let options = windows::Conv1dOptions::<SX, G>::default();
        let y = x.conv_transpose1d(&self.weight, options);
        with_bias1d::<_, LeadOf<S, shape![I, O, K], windows::Conv1dOptions<SX, G>>, O::Channels, T>(
            y,
            self.bias.get(),
        )
    }
}

/// The transposed convolution along two axes, `[..lead, i, h, w] → [..lead, o, y, x]`: PyTorch's
/// `nn.ConvTranspose2d`.
///
/// With groups, `O` is the number of outputs of one group, and the bias has one element for each output
/// of all groups. [`Options2d`](super::Options2d) are options.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{ConvTranspose2d, Options2d};
///
/// let twice: ConvTranspose2d<dim!(8), dim!(1), dim!(2), dim!(2), Options2d<2>> =
///     ConvTranspose2d::new(&mut Generator::seed(42));
/// let images = Tensor::<shape![32, 8, 14, 14]>::ones();
/// assert_eq!(twice.forward(&images).shape(), shape![32, 1, 28, 28]);
/// ```
#[doc(alias = "deconvolution")]
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
#[module(bound(Options: Default))]
pub struct ConvTranspose2d<
    I: Axis,
    O: Axis,
    KH: Axis,
    KW: Axis,
    Options = windows::Conv2dOptions,
    T: Element = f32,
    B = Tensor<shape![O], T>,
> {
    /// The kernel of each input channel for each output channel, as in PyTorch.
    pub weight: Tensor<shape![I, O, KH, KW], T>,
    /// One element for each output, or [`NoBias`](super::NoBias).
    pub bias: B,
    /// The stride, padding, dilation and groups, fixed by the type.
    #[module(skip, value = Options::default())]
    pub options: Options,
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, KH: Axis, KW: Axis, Options, T: Element>
    ConvTranspose2d<I, O, KH, KW, Options, T>
{
    /// Initialises parameters uniformly within `±1 / √(o · kh · kw)`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::ConvTranspose2d;
    ///
    /// let layer: ConvTranspose2d<dim!(8), dim!(4), dim!(5), dim!(5)> =
    ///     ConvTranspose2d::new(&mut Generator::seed(42));
    /// assert!(layer.weight.abs().max().item() <= 0.1);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        shape![I, O, KH, KW]: StaticShape,
        Options: Default,
        T: Float,
    {
        let shape @ (((_, o), kh), kw) = <shape![I, O, KH, KW]>::VALUE;
        let inputs = o.size() * kh.size() * kw.size();
        let (weight, bias) = (uniform(rng, shape, inputs), uniform(rng, ((), o), inputs));
        Self { weight, bias, options: Options::default() }
    }
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, KH: Axis, KW: Axis, SY, SX, G, T: Element, B>
    ConvTranspose2d<I, O, KH, KW, windows::Conv2dOptions<SY, SX, G>, T, B>
{
    /// Computes the transposed convolution, `[..lead, i, h, w] → [..lead, p, y, x]`, with `p = o · groups`,
    /// `y = (h - 1) stride + (kh - 1) dilation + 1 + output padding - padding`, and `x` accordingly.
    ///
    /// # Panics
    ///
    /// If a named axis of the channels has another size than in the weight.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor, windows};
    /// use tensor_nn::layers::ConvTranspose2d;
    ///
    /// let weight = Tensor::<shape![1, 1, 2, 2]>::ones();
    /// let layer = ConvTranspose2d { weight, bias: tensor![0.5], options: windows::Conv2dOptions::new() };
    /// assert_eq!(layer.forward(&tensor![[[2.0]]]), tensor![[[2.5, 2.5], [2.5, 2.5]]]);
    /// ```
    #[track_caller]
    pub fn forward<S>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<ConvolvedTransposed<S, shape![I, O, KH, KW], windows::Conv2dOptions<SY, SX, G>>, T>
    where
        T: Float,
        S: Shape + ConvolveTransposed<shape![I, O, KH, KW], windows::Conv2dOptions<SY, SX, G>>,
        windows::Conv2dOptions<SY, SX, G>: ConvSettings,
        O: TimesGroups<G>,
        B: BiasFor<O::Channels, T>,
    {
        let options = windows::Conv2dOptions::<SY, SX, G>::default();
        let y = x.conv_transpose2d(&self.weight, options);
        with_bias2d::<
            _,
            LeadOf<S, shape![I, O, KH, KW], windows::Conv2dOptions<SY, SX, G>>,
            O::Channels,
            T,
        >(y, self.bias.get())
    }
}

/// The leading axes of an input of shape `S`.
type LeadOf<S, W, Options> = <S as ConvolveTransposed<W, Options>>::Lead;

impl<Lead, C, N, I, O, K, SX, G, T, B> Layer<Tensor<shape![Lead.., C, N], T>>
    for ConvTranspose1d<I, O, K, windows::Conv1dOptions<SX, G>, T, B>
where
    Lead: Shape,
    C: Axis,
    N: Axis,
    I: Axis,
    O: Axis + TimesGroups<G>,
    K: Axis,
    T: Float,
    B: Bias<O::Channels, T>,
    windows::Conv1dOptions<SX, G>: ConvSettings,
    shape![Lead.., C, N]: ConvolveTransposed<shape![I, O, K], windows::Conv1dOptions<SX, G>>,
{
    type Output = Tensor<
        ConvolvedTransposed<shape![Lead.., C, N], shape![I, O, K], windows::Conv1dOptions<SX, G>>,
        T,
    >;

    fn apply(&self, input: &Tensor<shape![Lead.., C, N], T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}

impl<Lead, C, H, W, I, O, KH, KW, SY, SX, G, T, B> Layer<Tensor<shape![Lead.., C, H, W], T>>
    for ConvTranspose2d<I, O, KH, KW, windows::Conv2dOptions<SY, SX, G>, T, B>
where
    Lead: Shape,
    C: Axis,
    H: Axis,
    W: Axis,
    I: Axis,
    O: Axis + TimesGroups<G>,
    KH: Axis,
    KW: Axis,
    T: Float,
    B: Bias<O::Channels, T>,
    windows::Conv2dOptions<SY, SX, G>: ConvSettings,
    shape![Lead.., C, H, W]:
        ConvolveTransposed<shape![I, O, KH, KW], windows::Conv2dOptions<SY, SX, G>>,
{
    type Output = Tensor<
        ConvolvedTransposed<
            shape![Lead.., C, H, W],
            shape![I, O, KH, KW],
            windows::Conv2dOptions<SY, SX, G>,
        >,
        T,
    >;

    fn apply(&self, input: &Tensor<shape![Lead.., C, H, W], T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}
