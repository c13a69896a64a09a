//! Convolutions.

use tensor_core::random::Generator;
use tensor_core::windows::{
    self, ConvSettings, Convolve, Convolved, NamedSlide, NumberTable, PaddingNumber, Pads,
    SamePadding, Slide, StepNumber,
};
use tensor_core::{
    Axis, DynTensor, Element, Float, IntoTensor, Module, Shape, StaticShape, Tensor, axis, shape,
    shapes,
};

use super::initial::uniform;
use super::{Bias, BiasFor, Layer, NoBias, Pass};

/// A size of at least 1, as an axis.
type Step<const N: usize> = <NumberTable as StepNumber<N>>::Size;

/// Padding of `N` elements on both sides.
type Pad<const N: usize> =
    Pads<<NumberTable as PaddingNumber<N>>::Size, <NumberTable as PaddingNumber<N>>::Size>;

/// The options of [`Conv1d`] as a type: stride, padding on both sides, dilation, groups. It is the type of
/// `windows::Conv1dOptions::new().stride::<2>()` and so on.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{Conv1d, Options1d};
///
/// let halve: Conv1d<dim!(2), dim!(8), dim!(5), Options1d<2, 2>> =
///     Conv1d::new(&mut Generator::seed(42));
/// assert_eq!(halve.forward(&Tensor::<shape![2, 100]>::ones()).shape(), shape![8, 50]);
/// ```
pub type Options1d<
    const STRIDE: usize = 1,
    const PADDING: usize = 0,
    const DILATION: usize = 1,
    const GROUPS: usize = 1,
> = windows::Conv1dOptions<Slide<Step<STRIDE>, Pad<PADDING>, Step<DILATION>>, Step<GROUPS>>;

/// The options of [`Conv2d`] as a type, the same along both axes: stride, padding on all sides, dilation,
/// groups. It is the type of `windows::Conv2dOptions::new().stride::<2>()` and so on.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{Conv2d, Options2d};
///
/// let halve: Conv2d<dim!(3), dim!(16), dim!(3), dim!(3), Options2d<2, 1>> =
///     Conv2d::new(&mut Generator::seed(42));
/// assert_eq!(halve.forward(&Tensor::<shape![3, 32, 32]>::ones()).shape(), shape![16, 16, 16]);
/// ```
pub type Options2d<
    const STRIDE: usize = 1,
    const PADDING: usize = 0,
    const DILATION: usize = 1,
    const GROUPS: usize = 1,
> = windows::Conv2dOptions<
    Slide<Step<STRIDE>, Pad<PADDING>, Step<DILATION>>,
    Slide<Step<STRIDE>, Pad<PADDING>, Step<DILATION>>,
    Step<GROUPS>,
>;

/// The options of [`Conv1d`] that keep the size of the axis, which may then be a named one.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::{Conv1d, Same1d};
///
/// axis!(Time);
/// let layer: Conv1d<dim!(2), dim!(8), dim!(3), Same1d> = Conv1d::new(&mut Generator::seed(42));
/// let x: Tensor<shape![2, Time]> = Tensor::ones_shaped(shape![2, Time(100)]);
/// assert_eq!(layer.forward(&x).shape(), shape![8, Time(100)]);
/// ```
pub type Same1d<const DILATION: usize = 1, const GROUPS: usize = 1> =
    windows::Conv1dOptions<Slide<Step<1>, SamePadding, Step<DILATION>>, Step<GROUPS>>;

/// The options of [`Conv2d`] that keep the sizes of both axes, which may then be named ones.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{Conv2d, Same2d};
///
/// let layer: Conv2d<dim!(1), dim!(8), dim!(3), dim!(3), Same2d> =
///     Conv2d::new(&mut Generator::seed(42));
/// assert_eq!(layer.forward(&Tensor::<shape![1, 28, 28]>::ones()).shape(), shape![8, 28, 28]);
/// ```
pub type Same2d<const DILATION: usize = 1, const GROUPS: usize = 1> = windows::Conv2dOptions<
    Slide<Step<1>, SamePadding, Step<DILATION>>,
    Slide<Step<1>, SamePadding, Step<DILATION>>,
    Step<GROUPS>,
>;

/// The options of [`Conv1d`] for an axis whose size is known at run time: the positions of the window are counted by the
/// axis `Name`.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::{Conv1d, Named1d};
///
/// axis!(Samples);
/// axis!(Frames);
/// let halve: Conv1d<dim!(2), dim!(8), dim!(3), Named1d<Frames, 2, 1>> =
///     Conv1d::new(&mut Generator::seed(42));
/// let x: Tensor<shape![2, Samples]> = Tensor::ones_shaped(shape![2, Samples(100)]);
/// assert_eq!(halve.forward(&x).shape(), shape![8, Frames(50)]);
/// ```
pub type Named1d<
    Name,
    const STRIDE: usize = 1,
    const PADDING: usize = 0,
    const DILATION: usize = 1,
    const GROUPS: usize = 1,
> = windows::Conv1dOptions<
    NamedSlide<Name, Slide<Step<STRIDE>, Pad<PADDING>, Step<DILATION>>>,
    Step<GROUPS>,
>;

/// The options of [`Conv2d`] for axes whose sizes are known at run time: the positions of the window are counted by the
/// axes `Y` and `X`.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::{Conv2d, Named2d};
///
/// axis!(Height);
/// axis!(Rows);
/// let halve: Conv2d<dim!(3), dim!(8), dim!(3), dim!(3), Named2d<Rows, dim!(16), 2, 1>> =
///     Conv2d::new(&mut Generator::seed(42));
/// let x: Tensor<shape![3, Height, 32]> = Tensor::ones_shaped(shape![3, Height(48), 32]);
/// assert_eq!(halve.forward(&x).shape(), shape![8, Rows(24), 16]);
/// ```
pub type Named2d<
    Y,
    X,
    const STRIDE: usize = 1,
    const PADDING: usize = 0,
    const DILATION: usize = 1,
    const GROUPS: usize = 1,
> = windows::Conv2dOptions<
    NamedSlide<Y, Slide<Step<STRIDE>, Pad<PADDING>, Step<DILATION>>>,
    NamedSlide<X, Slide<Step<STRIDE>, Pad<PADDING>, Step<DILATION>>>,
    Step<GROUPS>,
>;

/// The convolution along one axis, `[..lead, c, n] → [..lead, o, m]`: PyTorch's `nn.Conv1d`.
///
/// `I` is the number of input channels of each output: all of them or, with groups, those of one group.
/// `O` is the number of outputs, `K` the size of the kernel. [`Options1d`] and [`Same1d`] are options.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::Conv1d;
///
/// let layer: Conv1d<dim!(2), dim!(8), dim!(5)> = Conv1d::new(&mut Generator::seed(42));
/// assert_eq!(layer.forward(&Tensor::<shape![32, 2, 100]>::ones()).shape(), shape![32, 8, 96]);
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
#[module(bound(Options: Default))]
pub struct Conv1d<
    I: Axis,
    O: Axis,
    K: Axis,
    Options = windows::Conv1dOptions,
    T: Element = f32,
    B = Tensor<shape![O], T>,
> {
    /// The kernel of each output over each input channel, as in PyTorch.
    pub weight: Tensor<shape![O, I, K], T>,
    /// One element for each output, or [`NoBias`].
    pub bias: B,
    /// The stride, padding, dilation and groups, fixed by the type.
    #[module(skip, value = Options::default())]
    pub options: Options,
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, K: Axis, Options, T: Element> Conv1d<I, O, K, Options, T> {
    /// Initialises parameters uniformly within `±1 / √(i · k)`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::Conv1d;
    ///
    /// let layer: Conv1d<dim!(5), dim!(8), dim!(5)> = Conv1d::new(&mut Generator::seed(42));
    /// assert!(layer.weight.abs().max().item() <= 0.2);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        shape![O, I, K]: StaticShape,
        Options: Default,
        T: Float,
    {
        let shape @ ((outputs, i), k) = <shape![O, I, K]>::VALUE;
        let inputs = i.size() * k.size();
        let (weight, bias) = (uniform(rng, shape, inputs), uniform(rng, outputs, inputs));
        Self { weight, bias, options: Options::default() }
    }

    /// Initialises all parameters to 0, for tests.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::Conv1d;
    ///
    /// let layer: Conv1d<dim!(2), dim!(3), dim!(5)> = Conv1d::zeros();
    /// assert_eq!(layer.forward(&Tensor::<shape![2, 5]>::ones()), Tensor::zeros());
    /// ```
    pub fn zeros() -> Self
    where
        shape![O, I, K]: StaticShape,
        Options: Default,
        T: Float,
    {
        let shape @ ((outputs, _), _) = <shape![O, I, K]>::VALUE;
        let (weight, bias) = (Tensor::zeros_shaped(shape), Tensor::zeros_shaped(outputs));
        Self { weight, bias, options: Options::default() }
    }
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, K: Axis, Options, T: Element> Conv1d<I, O, K, Options, T, NoBias> {
    /// A layer without a bias; the weight is initialised as by [`new`](Conv1d::new).
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{Conv1d, NoBias, Same1d};
    ///
    /// let layer: Conv1d<dim!(2), dim!(3), dim!(5), Same1d, f32, NoBias> =
    ///     Conv1d::without_bias(&mut Generator::seed(42));
    /// assert_eq!(layer.forward(&Tensor::<shape![2, 9]>::zeros()), Tensor::zeros());
    /// ```
    pub fn without_bias(rng: &mut Generator) -> Self
    where
        shape![O, I, K]: StaticShape,
        Options: Default,
        T: Float,
    {
        let shape @ ((_, i), k) = <shape![O, I, K]>::VALUE;
        let weight = uniform(rng, shape, i.size() * k.size());
        Self { weight, bias: NoBias, options: Options::default() }
    }
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, K: Axis, SX, G, T: Element, B>
    Conv1d<I, O, K, windows::Conv1dOptions<SX, G>, T, B>
{
    /// Computes the convolution, `[..lead, c, n] → [..lead, o, m]`, with
    /// `m = (n + padding - (k - 1) dilation - 1) / stride + 1`.
    ///
    /// # Panics
    ///
    /// If a named axis of the channels has another size than in the weight.
    ///
    /// ```
    /// use tensor_core::{tensor, windows};
    /// use tensor_nn::layers::Conv1d;
    ///
    /// let (weight, bias) = (tensor![[[-1.0, 1.0]]], tensor![10.0]);
    /// let layer = Conv1d { weight, bias, options: windows::Conv1dOptions::new() };
    /// assert_eq!(layer.forward(&tensor![[1.0, 2.0, 4.0]]), tensor![[11.0, 12.0]]);
    /// ```
    #[track_caller]
    pub fn forward<S>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<Convolved<S, shape![O, I, K], windows::Conv1dOptions<SX, G>>, T>
    where
        T: Float,
        S: Shape + Convolve<shape![O, I, K], windows::Conv1dOptions<SX, G>>,
        windows::Conv1dOptions<SX, G>: ConvSettings,
        B: BiasFor<O, T>,
    {
        let options = windows::Conv1dOptions::<SX, G>::default();
        with_bias1d::<_, LeadOf<S, shape![O, I, K], windows::Conv1dOptions<SX, G>>, O, T>(
            x.conv1d(&self.weight, options),
            self.bias.get(),
        )
    }
}

/// The convolution along two axes, `[..lead, c, h, w] → [..lead, o, y, x]`: PyTorch's `nn.Conv2d`.
///
/// `I` is the number of input channels of each output: all of them or, with groups, those of one group.
/// `O` is the number of outputs; the kernel is `KH` by `KW`. [`Options2d`] and [`Same2d`] are options.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{Conv2d, Options2d};
///
/// let mut rng = Generator::seed(42);
/// let images = Tensor::<shape![32, 3, 28, 28]>::ones();
///
/// let layer: Conv2d<dim!(3), dim!(16), dim!(3), dim!(3)> = Conv2d::new(&mut rng);
/// assert_eq!(layer.forward(&images).shape(), shape![32, 16, 26, 26]);
///
/// // Depthwise: each output sees one channel.
/// type Depthwise = Options2d<1, 1, 1, 3>;
/// let layer: Conv2d<dim!(1), dim!(3), dim!(3), dim!(3), Depthwise> = Conv2d::new(&mut rng);
/// assert_eq!(layer.forward(&images).shape(), shape![32, 3, 28, 28]);
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
#[module(bound(Options: Default))]
pub struct Conv2d<
    I: Axis,
    O: Axis,
    KH: Axis,
    KW: Axis,
    Options = windows::Conv2dOptions,
    T: Element = f32,
    B = Tensor<shape![O], T>,
> {
    /// The kernel of each output over each input channel, as in PyTorch.
    pub weight: Tensor<shape![O, I, KH, KW], T>,
    /// One element for each output, or [`NoBias`].
    pub bias: B,
    /// The stride, padding, dilation and groups, fixed by the type.
    #[module(skip, value = Options::default())]
    pub options: Options,
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, KH: Axis, KW: Axis, Options, T: Element> Conv2d<I, O, KH, KW, Options, T> {
    /// Initialises parameters uniformly within `±1 / √(i · kh · kw)`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::Conv2d;
    ///
    /// let layer: Conv2d<dim!(4), dim!(8), dim!(5), dim!(5)> =
    ///     Conv2d::new(&mut Generator::seed(42));
    /// assert!(layer.weight.abs().max().item() <= 0.1);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        shape![O, I, KH, KW]: StaticShape,
        Options: Default,
        T: Float,
    {
        let shape @ (((outputs, i), kh), kw) = <shape![O, I, KH, KW]>::VALUE;
        let inputs = i.size() * kh.size() * kw.size();
        let (weight, bias) = (uniform(rng, shape, inputs), uniform(rng, outputs, inputs));
        Self { weight, bias, options: Options::default() }
    }

    /// Initialises all parameters to 0, for tests.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::Conv2d;
    ///
    /// let layer: Conv2d<dim!(2), dim!(3), dim!(5), dim!(5)> = Conv2d::zeros();
    /// assert_eq!(layer.forward(&Tensor::<shape![2, 5, 5]>::ones()), Tensor::zeros());
    /// ```
    pub fn zeros() -> Self
    where
        shape![O, I, KH, KW]: StaticShape,
        Options: Default,
        T: Float,
    {
        let shape @ (((outputs, _), _), _) = <shape![O, I, KH, KW]>::VALUE;
        let (weight, bias) = (Tensor::zeros_shaped(shape), Tensor::zeros_shaped(outputs));
        Self { weight, bias, options: Options::default() }
    }
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, KH: Axis, KW: Axis, Options, T: Element>
    Conv2d<I, O, KH, KW, Options, T, NoBias>
{
    /// A layer without a bias, as before a [`BatchNorm2d`](super::BatchNorm2d); the weight is initialised as
    /// by [`new`](Conv2d::new).
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{Conv2d, NoBias, Same2d};
    ///
    /// let layer: Conv2d<dim!(2), dim!(3), dim!(5), dim!(5), Same2d, f32, NoBias> =
    ///     Conv2d::without_bias(&mut Generator::seed(42));
    /// assert_eq!(layer.forward(&Tensor::<shape![2, 9, 9]>::zeros()), Tensor::zeros());
    /// ```
    pub fn without_bias(rng: &mut Generator) -> Self
    where
        shape![O, I, KH, KW]: StaticShape,
        Options: Default,
        T: Float,
    {
        let shape @ (((_, i), kh), kw) = <shape![O, I, KH, KW]>::VALUE;
        let weight = uniform(rng, shape, i.size() * kh.size() * kw.size());
        Self { weight, bias: NoBias, options: Options::default() }
    }
}

#[tensor_core::__private::bounds_without_source]
impl<I: Axis, O: Axis, KH: Axis, KW: Axis, SY, SX, G, T: Element, B>
    Conv2d<I, O, KH, KW, windows::Conv2dOptions<SY, SX, G>, T, B>
{
    /// Computes the convolution, `[..lead, c, h, w] → [..lead, o, y, x]`, with
    /// `y = (h + padding - (kh - 1) dilation - 1) / stride + 1`, and `x` accordingly.
    ///
    /// # Panics
    ///
    /// If a named axis of the channels has another size than in the weight.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor, windows};
    /// use tensor_nn::layers::Conv2d;
    ///
    /// let weight = Tensor::<shape![1, 1, 2, 2]>::ones();
    /// let layer = Conv2d { weight, bias: tensor![10.0], options: windows::Conv2dOptions::new() };
    /// assert_eq!(layer.forward(&tensor![[[1.0, 2.0], [3.0, 4.0]]]), tensor![[[20.0]]]);
    /// ```
    #[track_caller]
    pub fn forward<S>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<Convolved<S, shape![O, I, KH, KW], windows::Conv2dOptions<SY, SX, G>>, T>
    where
        T: Float,
        S: Shape + Convolve<shape![O, I, KH, KW], windows::Conv2dOptions<SY, SX, G>>,
        windows::Conv2dOptions<SY, SX, G>: ConvSettings,
        B: BiasFor<O, T>,
    {
        let options = windows::Conv2dOptions::<SY, SX, G>::default();
        let y = x.conv2d(&self.weight, options);
        with_bias2d::<_, LeadOf<S, shape![O, I, KH, KW], windows::Conv2dOptions<SY, SX, G>>, O, T>(
            y,
            self.bias.get(),
        )
    }
}

/// The leading axes of an input of shape `S`.
type LeadOf<S, W, Options> = <S as Convolve<W, Options>>::Lead;

axis! {
    /// The axis of the rows of an image, whatever its name in the type of the shape.
    Rows
}

axis! {
    /// The last axis of a sequence or an image.
    Places
}

/// Converts between two shape types with the same sizes.
fn retyped<P: Shape, Q: Shape, T: Float>(y: Tensor<P, T>) -> Tensor<Q, T> {
    DynTensor::from(y).into_tensor().expect("the sizes are the same")
}

/// `y + bias` for the result of a convolution, whose type does not show that its shape is `[..lead, o, n]`.
#[track_caller]
pub(super) fn with_bias1d<P: Shape, Lead: Shape, O: Axis, T: Float>(
    y: Tensor<P, T>,
    bias: Option<&Tensor<shape![O], T>>,
) -> Tensor<P, T> {
    let Some(bias) = bias else { return y };
    retyped(retyped::<P, shape![Lead.., O, Places], T>(y) + bias.unsqueeze::<-1>())
}

/// `y + bias` for a result of shape `[..lead, o, y, x]`.
#[track_caller]
pub(super) fn with_bias2d<P: Shape, Lead: Shape, O: Axis, T: Float>(
    y: Tensor<P, T>,
    bias: Option<&Tensor<shape![O], T>>,
) -> Tensor<P, T> {
    let Some(bias) = bias else { return y };
    let bias = bias.unsqueeze::<-1>().unsqueeze::<-1>();
    retyped(retyped::<P, shape![Lead.., O, Rows, Places], T>(y) + bias)
}

impl<Lead, C, N, I, O, K, SX, G, T, B> Layer<Tensor<shape![Lead.., C, N], T>>
    for Conv1d<I, O, K, windows::Conv1dOptions<SX, G>, T, B>
where
    Lead: Shape,
    C: Axis,
    N: Axis,
    I: Axis,
    O: Axis,
    K: Axis,
    T: Float,
    B: Bias<O, T>,
    windows::Conv1dOptions<SX, G>: ConvSettings,
    shape![Lead.., C, N]: Convolve<shape![O, I, K], windows::Conv1dOptions<SX, G>>,
{
    type Output =
        Tensor<Convolved<shape![Lead.., C, N], shape![O, I, K], windows::Conv1dOptions<SX, G>>, T>;

    fn apply(&self, input: &Tensor<shape![Lead.., C, N], T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}

impl<Lead, C, H, W, I, O, KH, KW, SY, SX, G, T, B> Layer<Tensor<shape![Lead.., C, H, W], T>>
    for Conv2d<I, O, KH, KW, windows::Conv2dOptions<SY, SX, G>, T, B>
where
    Lead: Shape,
    C: Axis,
    H: Axis,
    W: Axis,
    I: Axis,
    O: Axis,
    KH: Axis,
    KW: Axis,
    T: Float,
    B: Bias<O, T>,
    windows::Conv2dOptions<SY, SX, G>: ConvSettings,
    shape![Lead.., C, H, W]: Convolve<shape![O, I, KH, KW], windows::Conv2dOptions<SY, SX, G>>,
{
    type Output = Tensor<
        Convolved<shape![Lead.., C, H, W], shape![O, I, KH, KW], windows::Conv2dOptions<SY, SX, G>>,
        T,
    >;

    fn apply(&self, input: &Tensor<shape![Lead.., C, H, W], T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}
