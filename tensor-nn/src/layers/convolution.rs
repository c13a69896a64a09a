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

/// A window that moves by a stride, over padding on both sides, with a dilation.
type Moves<const STRIDE: usize, const PADDING: usize, const DILATION: usize> =
    Slide<Step<STRIDE>, Pad<PADDING>, Step<DILATION>>;

/// A window that moves by 1, over padding that keeps the size.
type KeepsSize<const DILATION: usize> = Slide<Step<1>, SamePadding, Step<DILATION>>;

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
> = windows::Conv1dOptions<Moves<STRIDE, PADDING, DILATION>, Step<GROUPS>>;

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
    Moves<STRIDE, PADDING, DILATION>,
    Moves<STRIDE, PADDING, DILATION>,
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
    windows::Conv1dOptions<KeepsSize<DILATION>, Step<GROUPS>>;

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
pub type Same2d<const DILATION: usize = 1, const GROUPS: usize = 1> =
    windows::Conv2dOptions<KeepsSize<DILATION>, KeepsSize<DILATION>, Step<GROUPS>>;

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
> = windows::Conv1dOptions<NamedSlide<Name, Moves<STRIDE, PADDING, DILATION>>, Step<GROUPS>>;

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
    NamedSlide<Y, Moves<STRIDE, PADDING, DILATION>>,
    NamedSlide<X, Moves<STRIDE, PADDING, DILATION>>,
    Step<GROUPS>,
>;

/// The pattern of a shape with these first axes, and others.
macro_rules! first_axes {
    ($first:tt) => { $first };
    ($first:tt $K:ident $($rest:ident)*) => { first_axes!(($first, _) $($rest)*) };
}

/// Generates a layer that convolves along some axes: the sizes of its kernel, the axes of the input, and the options.
/// `weight [A, B]` has the first two axes of the weight; `bias [C], (a, b) => shape` the channels of the bias, and its shape
/// computed from those two axes.
macro_rules! convolution_layer {
    (
        $(#[$of_layer:meta])*
        pub struct $Layer:ident<$($K:ident),*>($($N:ident),*), windows::$Options:ident<$($X:ident),*>;

        $(#[$of_weight:meta])*
        pub weight [$A:ident, $B:ident];

        $(#[$of_bias:meta])*
        pub bias [$Channels:ty] $(where $Times:path)?, $axes:tt => $bias:expr;

        $(#[$of_new:meta])*
        pub fn new;

        $(#[$of_forward:meta])*
        pub fn forward: $Convolve:ident $Convolved:ident, $convolve:ident $with_bias:ident;
    ) => {
        $(#[$of_layer])*
        #[shapes]
        #[derive(Clone, Debug, Module, PartialEq)]
        #[module(bound(Options: Default))]
        pub struct $Layer<
            I: Axis,
            O: Axis,
            $($K: Axis,)*
            Options = windows::$Options,
            T: Element = f32,
            B = Tensor<shape![O], T>,
        > {
            $(#[$of_weight])*
            pub weight: Tensor<shape![$A, $B, $($K),*], T>,
            $(#[$of_bias])*
            pub bias: B,
            /// The stride, padding, dilation and groups, fixed by the type.
            #[module(skip, value = Options::default())]
            pub options: Options,
        }

        #[tensor_core::diagnostics::bounds_without_source]
        impl<I: Axis, O: Axis, $($K: Axis,)* Options, T: Element> $Layer<I, O, $($K,)* Options, T> {
            /// The shapes of the weight and of the bias, and the fan-in: the product of all sizes of the weight but the first.
            fn shapes() -> (shape![$A, $B, $($K),*], shape![O], usize)
            where
                shape![$A, $B, $($K),*]: StaticShape,
            {
                let weight @ first_axes!($axes $($K)*) = <shape![$A, $B, $($K),*]>::VALUE;
                (weight, $bias, weight.sizes()[1..].iter().product())
            }

            $(#[$of_new])*
            pub fn new(rng: &mut Generator) -> Self
            where
                shape![$A, $B, $($K),*]: StaticShape,
                Options: Default,
                T: Float,
            {
                let (weight, bias, inputs) = Self::shapes();
                let (weight, bias) = (uniform(rng, weight, inputs), uniform(rng, bias, inputs));
                Self { weight, bias, options: Options::default() }
            }
        }

        #[tensor_core::diagnostics::bounds_without_source]
        impl<I: Axis, O: Axis, $($K: Axis,)* $($X,)* G, T: Element, B>
            $Layer<I, O, $($K,)* windows::$Options<$($X,)* G>, T, B>
        {
            $(#[$of_forward])*
            #[track_caller]
            pub fn forward<S>(
                &self,
                x: &Tensor<S, T>,
            ) -> Tensor<$Convolved<S, shape![$A, $B, $($K),*], windows::$Options<$($X,)* G>>, T>
            where
                T: Float,
                S: Shape + $Convolve<shape![$A, $B, $($K),*], windows::$Options<$($X,)* G>>,
                windows::$Options<$($X,)* G>: ConvSettings,
                $(O: $Times,)?
                B: BiasFor<$Channels, T>,
            {
                let y = x.$convolve(&self.weight, windows::$Options::<$($X,)* G>::default());
                $with_bias::<
                    _,
                    <S as $Convolve<shape![$A, $B, $($K),*], windows::$Options<$($X,)* G>>>::Lead,
                    $Channels,
                    T,
                >(y, self.bias.get())
            }
        }

        impl<Lead, C, $($N,)* I, O, $($K,)* $($X,)* G, T, B> Layer<Tensor<shape![Lead.., C, $($N),*], T>>
            for $Layer<I, O, $($K,)* windows::$Options<$($X,)* G>, T, B>
        where
            Lead: Shape,
            C: Axis,
            $($N: Axis,)*
            I: Axis,
            O: Axis $(+ $Times)?,
            $($K: Axis,)*
            T: Float,
            B: Bias<$Channels, T>,
            windows::$Options<$($X,)* G>: ConvSettings,
            shape![Lead.., C, $($N),*]: $Convolve<shape![$A, $B, $($K),*], windows::$Options<$($X,)* G>>,
        {
            type Output = Tensor<
                $Convolved<shape![Lead.., C, $($N),*], shape![$A, $B, $($K),*], windows::$Options<$($X,)* G>>,
                T,
            >;

            fn apply(&self, input: &Tensor<shape![Lead.., C, $($N),*], T>, _: &mut Pass) -> Self::Output {
                self.forward(input)
            }
        }
    };
}

pub(super) use {convolution_layer, first_axes};

/// Generates further constructors of a layer that convolves.
macro_rules! other_constructors {
    (
        $Layer:ident<$($K:ident),*>

        $(#[$of_zeros:meta])*
        pub fn zeros;

        $(#[$of_without_bias:meta])*
        pub fn without_bias;
    ) => {
        #[tensor_core::diagnostics::bounds_without_source]
        impl<I: Axis, O: Axis, $($K: Axis,)* Options, T: Element> $Layer<I, O, $($K,)* Options, T> {
            $(#[$of_zeros])*
            pub fn zeros() -> Self
            where
                shape![O, I, $($K),*]: StaticShape,
                Options: Default,
                T: Float,
            {
                let (weight, bias, _) = Self::shapes();
                let (weight, bias) = (Tensor::zeros_shaped(weight), Tensor::zeros_shaped(bias));
                Self { weight, bias, options: Options::default() }
            }
        }

        #[tensor_core::diagnostics::bounds_without_source]
        impl<I: Axis, O: Axis, $($K: Axis,)* Options, T: Element>
            $Layer<I, O, $($K,)* Options, T, NoBias>
        {
            $(#[$of_without_bias])*
            pub fn without_bias(rng: &mut Generator) -> Self
            where
                shape![O, I, $($K),*]: StaticShape,
                Options: Default,
                T: Float,
            {
                let (weight, _, inputs) = $Layer::<I, O, $($K,)* Options, T>::shapes();
                Self { weight: uniform(rng, weight, inputs), bias: NoBias, options: Options::default() }
            }
        }
    };
}

convolution_layer! {
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
    pub struct Conv1d<K>(N), windows::Conv1dOptions<SX>;

    /// The kernel of each output over each input channel, as in PyTorch.
    pub weight [O, I];

    /// One element for each output, or [`NoBias`].
    pub bias [O], (outputs, _) => outputs;

    /// Initialises parameters uniformly within `±1 / √(i · k)`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::Conv1d;
    ///
    /// let layer: Conv1d<dim!(5), dim!(8), dim!(5)> = Conv1d::new(&mut Generator::seed(42));
    /// assert!(layer.weight.abs().max().item() <= 0.2);
    /// ```
    pub fn new;

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
    pub fn forward: Convolve Convolved, conv1d with_bias1d;
}

other_constructors! {
    Conv1d<K>

    /// Initialises all parameters to 0, for tests.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::Conv1d;
    ///
    /// let layer: Conv1d<dim!(2), dim!(3), dim!(5)> = Conv1d::zeros();
    /// assert_eq!(layer.forward(&Tensor::<shape![2, 5]>::ones()), Tensor::zeros());
    /// ```
    pub fn zeros;

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
    pub fn without_bias;
}

convolution_layer! {
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
    pub struct Conv2d<KH, KW>(H, W), windows::Conv2dOptions<SY, SX>;

    /// The kernel of each output over each input channel, as in PyTorch.
    pub weight [O, I];

    /// One element for each output, or [`NoBias`].
    pub bias [O], (outputs, _) => outputs;

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
    pub fn new;

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
    pub fn forward: Convolve Convolved, conv2d with_bias2d;
}

other_constructors! {
    Conv2d<KH, KW>

    /// Initialises all parameters to 0, for tests.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::Conv2d;
    ///
    /// let layer: Conv2d<dim!(2), dim!(3), dim!(5), dim!(5)> = Conv2d::zeros();
    /// assert_eq!(layer.forward(&Tensor::<shape![2, 5, 5]>::ones()), Tensor::zeros());
    /// ```
    pub fn zeros;

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
    pub fn without_bias;
}

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
