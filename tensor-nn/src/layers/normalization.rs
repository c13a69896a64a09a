//! Normalisation of the last axis, and of channels within one example.

use tensor_core::functional::{layer_norm, rms_norm};
use tensor_core::windows::DividesAxis;
use tensor_core::{Axis, Element, Float, Module, Shape, StaticShape, Tensor, shape, shapes};

use super::input::{same, same_value, taken};
use super::layer::no_input;
use super::{
    AxisOfInput, Bias, BiasFor, InList, Layer, LayerTakes, NoBias, OutputOf, Pass, WithAxis,
};
use crate::numbers::not_negative;

/// The constant that PyTorch adds to variances by default.
const EPSILON: f64 = 1e-5;

/// Returns the constant that is added to a variance, checked to be finite and at least 0.
#[track_caller]
pub(super) fn checked(epsilon: f64) -> f64 {
    not_negative("the epsilon of a normalisation", epsilon);
    epsilon
}

/// Generates `with_epsilon` for normalisations, which have a field `epsilon`.
macro_rules! with_epsilon {
    ($([$($Parameters:tt)*] $Norm:ty: $example:literal;)*) => {$(
        impl<$($Parameters)*> $Norm {
            /// The layer with another epsilon. A model needs the one that it was trained with: BERT has
            /// `1e-12`, and with the default its outputs are off by about 1e-4.
            ///
            /// # Panics
            ///
            /// If the epsilon is not finite and at least 0.
            ///
            /// ```
            /// use tensor_core::dim;
            /// use tensor_nn::layers::*;
            ///
            #[doc = concat!("let layer: ", $example, ".with_epsilon(1e-12);")]
            /// assert_eq!(layer.epsilon, 1e-12);
            /// ```
            #[doc(alias = "eps")]
            #[doc(alias = "layer_norm_eps")]
            #[must_use]
            #[track_caller]
            pub fn with_epsilon(self, epsilon: f64) -> Self {
                Self { epsilon: $crate::layers::normalization::checked(epsilon), ..self }
            }
        }
    )*};
}

pub(super) use with_epsilon;

with_epsilon! {
    [N: Axis, T: Element, B] LayerNorm<N, T, B>: "LayerNorm<dim!(768)> = LayerNorm::new()";
    [N: Axis, T: Element] RmsNorm<N, T>: "RmsNorm<dim!(768)> = RmsNorm::new()";
    [C: Axis, const GROUPS: usize, T: Element, const AXIS: isize] GroupNorm<C, GROUPS, T, AXIS>:
        "GroupNorm<dim!(64), 8> = GroupNorm::new()";
    [C: Axis, T: Element, const AXIS: isize] InstanceNorm<C, T, AXIS>:
        "InstanceNorm<dim!(64)> = InstanceNorm::new()";
}

/// `(x - mean) / √(variance + epsilon) · weight + bias` along the last axis, `[..lead, n] → [..lead, n]`:
/// PyTorch's `nn.LayerNorm`.
///
/// Source: Ba, Kiros and Hinton, "Layer normalization", 2016.
///
/// ```
/// use tensor_core::{dim, tensor};
/// use tensor_nn::layers::LayerNorm;
///
/// let layer: LayerNorm<dim!(2)> = LayerNorm::new().with_epsilon(3.0);
/// assert_eq!(layer.forward(&tensor![[1.0, 3.0], [5.0, 5.0]]), tensor![[-0.5, 0.5], [0.0, 0.0]]);
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct LayerNorm<N: Axis, T: Element = f32, B = Tensor<shape![N], T>> {
    /// The scale of the normalised elements.
    pub weight: Tensor<shape![N], T>,
    /// The shift of the normalised elements, or [`NoBias`].
    pub bias: B,
    /// The constant added to variances; finite and at least 0.
    #[module(value = EPSILON)]
    pub epsilon: f64,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<N: Axis, T: Element> LayerNorm<N, T> {
    /// Initialises weights to 1, biases to 0, epsilon to `1e-5`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim};
    /// use tensor_nn::layers::LayerNorm;
    ///
    /// assert_eq!(LayerNorm::<dim!(3)>::new().weight, Tensor::ones());
    /// ```
    #[expect(clippy::new_without_default, reason = "layers are made by `new`")]
    pub fn new() -> Self
    where
        shape![N]: StaticShape,
        T: Float,
    {
        Self { weight: Tensor::ones(), bias: Tensor::zeros(), epsilon: EPSILON }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<N: Axis, T: Element> LayerNorm<N, T, NoBias> {
    /// A layer without biases.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::{LayerNorm, NoBias};
    ///
    /// let layer: LayerNorm<dim!(2), f32, NoBias> = LayerNorm::without_bias();
    /// assert_eq!(layer.forward(&tensor![7.0, 7.0]), tensor![0.0, 0.0]);
    /// ```
    pub fn without_bias() -> Self
    where
        shape![N]: StaticShape,
        T: Float,
    {
        Self { weight: Tensor::ones(), bias: NoBias, epsilon: EPSILON }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<N: Axis, T: Element, B> LayerNorm<N, T, B> {
    /// Normalises the input, `[..lead, n] → [..lead, n]`.
    ///
    /// # Panics
    ///
    /// If a named axis of the input has another size than in the weight.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::LayerNorm;
    ///
    /// let (weight, bias) = (tensor![2.0, 2.0], tensor![1.0, 1.0]);
    /// let layer = LayerNorm { weight, bias, epsilon: 0.0 };
    /// assert_eq!(layer.forward(&tensor![3.0, 5.0]), tensor![-1.0, 3.0]);
    /// ```
    #[track_caller]
    pub fn forward<S, J>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<WithAxis<Self, J, N, OutputOf<S, N, N>>, T>
    where
        T: Float,
        S: Shape<LastAxis = J>,
        Self: LayerTakes<J, N>,
        B: BiasFor<N, T>,
    {
        let (x, epsilon) = (taken::<N, S, T>(x), checked(self.epsilon));
        same_value(layer_norm(x, &self.weight, self.bias.get(), epsilon))
    }
}

/// `x / √(mean(x²) + epsilon) · weight` along the last axis, `[..lead, n] → [..lead, n]`: PyTorch's
/// `nn.RMSNorm`.
///
/// Source: Zhang and Sennrich, "Root mean square layer normalization", 2019.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::RmsNorm;
///
/// // The mean square is 5.
/// let layer = RmsNorm { weight: tensor![1.0, 2.0], epsilon: 11.0 };
/// assert_eq!(layer.forward(&tensor![1.0, 3.0]), tensor![0.25, 1.5]);
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct RmsNorm<N: Axis, T: Element = f32> {
    /// The scale of the normalised elements.
    pub weight: Tensor<shape![N], T>,
    /// The constant added to mean squares; finite and at least 0.
    #[module(value = 1e-6)]
    pub epsilon: f64,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<N: Axis, T: Element> RmsNorm<N, T> {
    /// Initialises weights to 1, epsilon to `1e-6`. PyTorch's default is the machine epsilon.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim};
    /// use tensor_nn::layers::RmsNorm;
    ///
    /// assert_eq!(RmsNorm::<dim!(3)>::new().weight, Tensor::ones());
    /// ```
    #[expect(clippy::new_without_default, reason = "layers are made by `new`")]
    pub fn new() -> Self
    where
        shape![N]: StaticShape,
        T: Float,
    {
        Self { weight: Tensor::ones(), epsilon: 1e-6 }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<N: Axis, T: Element> RmsNorm<N, T> {
    /// Normalises the input, `[..lead, n] → [..lead, n]`.
    ///
    /// # Panics
    ///
    /// If a named axis of the input has another size than in the weight.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::RmsNorm;
    ///
    /// let layer: RmsNorm<dim!(2)> = RmsNorm::new();
    /// assert_eq!(layer.forward(&tensor![0.0, 0.0]), tensor![0.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn forward<S, J>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<WithAxis<Self, J, N, OutputOf<S, N, N>>, T>
    where
        T: Float,
        S: Shape<LastAxis = J>,
        Self: LayerTakes<J, N>,
    {
        let (x, epsilon) = (taken::<N, S, T>(x), checked(self.epsilon));
        same_value(rms_norm(x, &self.weight, epsilon))
    }
}

impl<L, J, N, T, B> Layer<Tensor<shape![L.., J], T>> for LayerNorm<N, T, B>
where
    (J,): AxisOfInput<J, N>,
    L: Shape,
    J: Axis,
    N: Axis,
    T: Float,
    B: Bias<N, T>,
{
    type Output = Tensor<InList<J, N, shape![L.., N]>, T>;

    fn apply(&self, input: &Tensor<shape![L.., J], T>, _: &mut Pass) -> Self::Output {
        self.forward(same::<_, Tensor<shape![L.., N], T>>(input))
    }
}

impl<L, J, N, T> Layer<Tensor<shape![L.., J], T>> for RmsNorm<N, T>
where
    (J,): AxisOfInput<J, N>,
    L: Shape,
    J: Axis,
    N: Axis,
    T: Float,
{
    type Output = Tensor<InList<J, N, shape![L.., N]>, T>;

    fn apply(&self, input: &Tensor<shape![L.., J], T>, _: &mut Pass) -> Self::Output {
        self.forward(same::<_, Tensor<shape![L.., N], T>>(input))
    }
}

/// Normalises each of `GROUPS` groups of channels within each example, over all following axes, then
/// `· weight + bias` for each channel: `[..lead, c, h, w]`, the same. PyTorch's `nn.GroupNorm`.
///
/// The channels are axis `AXIS` from the end: -3 for images, which is the default, -2 for sequences
/// `[..lead, c, n]`, -1 for `[..lead, c]`.
///
/// Source: Wu and He, "Group normalization", 2018.
///
/// ```
/// use tensor_core::{Tensor, dim, shape};
/// use tensor_nn::layers::GroupNorm;
///
/// let layer: GroupNorm<dim!(64), 8> = GroupNorm::new();
/// let images = Tensor::<shape![32, 64, 7, 7]>::ones();
/// assert_eq!(layer.forward(&images), Tensor::zeros());
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct GroupNorm<C: Axis, const GROUPS: usize, T: Element = f32, const AXIS: isize = -3> {
    /// The scale of the normalised elements of each channel.
    pub weight: Tensor<shape![C], T>,
    /// The shift of the normalised elements of each channel.
    pub bias: Tensor<shape![C], T>,
    /// The constant added to variances; finite and at least 0.
    #[module(value = EPSILON)]
    pub epsilon: f64,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<C: Axis, const GROUPS: usize, T: Element, const AXIS: isize> GroupNorm<C, GROUPS, T, AXIS> {
    /// Initialises weights to 1, biases to 0, epsilon to `1e-5`; `GROUPS` must divide the channels.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim};
    /// use tensor_nn::layers::GroupNorm;
    ///
    /// let layer: GroupNorm<dim!(64), 8> = GroupNorm::new();
    /// assert_eq!(layer.bias, Tensor::zeros());
    /// ```
    #[expect(clippy::new_without_default, reason = "layers are made by `new`")]
    pub fn new() -> Self
    where
        shape![C]: StaticShape,
        T: Float,
        shape![C]: DividesAxis<0, GROUPS>,
    {
        Self { weight: Tensor::ones(), bias: Tensor::zeros(), epsilon: EPSILON }
    }
}

/// Normalises each channel of each example on its own, then `· weight + bias` for each channel:
/// `[..lead, c, h, w]`, the same. PyTorch's `nn.InstanceNorm2d` with `affine`.
///
/// The channels are axis `AXIS` from the end: -3 for images, which is the default, -2 for sequences
/// `[..lead, c, n]`.
///
/// Source: Ulyanov, Vedaldi and Lempitsky, "Instance normalization", 2016.
///
/// ```
/// use tensor_core::{Tensor, dim, shape};
/// use tensor_nn::layers::InstanceNorm;
///
/// let layer: InstanceNorm<dim!(64)> = InstanceNorm::new();
/// let images = Tensor::<shape![32, 64, 7, 7]>::ones();
/// assert_eq!(layer.forward(&images), Tensor::zeros());
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct InstanceNorm<C: Axis, T: Element = f32, const AXIS: isize = -3> {
    /// The scale of the normalised elements of each channel.
    pub weight: Tensor<shape![C], T>,
    /// The shift of the normalised elements of each channel.
    pub bias: Tensor<shape![C], T>,
    /// The constant added to variances; finite and at least 0.
    #[module(value = EPSILON)]
    pub epsilon: f64,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<C: Axis, T: Element, const AXIS: isize> InstanceNorm<C, T, AXIS> {
    /// Initialises weights to 1, biases to 0, epsilon to `1e-5`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim};
    /// use tensor_nn::layers::InstanceNorm;
    ///
    /// let layer: InstanceNorm<dim!(64)> = InstanceNorm::new();
    /// assert_eq!(layer.bias, Tensor::zeros());
    /// ```
    #[expect(clippy::new_without_default, reason = "layers are made by `new`")]
    pub fn new() -> Self
    where
        shape![C]: StaticShape,
        T: Float,
    {
        Self { weight: Tensor::ones(), bias: Tensor::zeros(), epsilon: EPSILON }
    }
}

/// Generates `y · weight + bias` with one weight and one bias per channel, for each number of axes after the
/// channels. It is a separate function, because within a function that has bounds on a shape the compiler
/// takes the laws of broadcasting from those bounds only.
macro_rules! per_channel {
    ($($name:ident [$($Behind:ident)*] |$vector:ident| $column:expr;)*) => {$(
        pub(super) fn $name<Lead: Shape, C: Axis, $($Behind: Axis,)* T: Float>(
            y: Tensor<shape![Lead.., C, $($Behind),*], T>,
            weight: &Tensor<shape![C], T>,
            bias: &Tensor<shape![C], T>,
        ) -> Tensor<shape![Lead.., C, $($Behind),*], T> {
            let [weight, bias] = [weight, bias].map(|$vector| $column);
            y * weight + bias
        }
    )*};
}

per_channel! {
    per_channel [] |vector| vector.clone();
    per_channel_of_sequences [N] |vector| vector.unsqueeze::<-1>();
    per_channel_of_images [H W] |vector| vector.unsqueeze::<-1>().unsqueeze::<-1>();
}

/// Generates `forward` for channels on the last, the second last or the third last axis.
macro_rules! forward_by_axis {
    ($(
        $forward:ident $AXIS:literal $per_channel:ident [$($Behind:ident)*] $shape:literal;
    )*) => {$(
        #[tensor_core::diagnostics::bounds_without_source]
        impl<C: Axis, const GROUPS: usize, T: Float> GroupNorm<C, GROUPS, T, $AXIS> {
            #[doc = concat!("The normalised input, `", $shape, "`, the same.")]
            ///
            /// # Panics
            ///
            /// If a named axis of the channels has another size than in the weight.
            ///
            /// ```
            /// use tensor_core::{Tensor, dim, shape};
            /// use tensor_nn::layers::GroupNorm;
            ///
            #[doc = concat!("let layer: GroupNorm<dim!(4), 2, f32, ", $AXIS, "> = GroupNorm::new();")]
            #[doc = concat!("let x = Tensor::<shape![3, 4", $(", ", forward_by_axis!(@size $Behind),)* "]>::ones();")]
            /// assert_eq!(layer.forward(&x), Tensor::zeros());
            /// ```
            #[track_caller]
            pub fn $forward<Lead: Shape, $($Behind: Axis),*>(
                &self,
                x: &Tensor<shape![Lead.., C, $($Behind),*], T>,
            ) -> Tensor<shape![Lead.., C, $($Behind),*], T>
            where
                shape![Lead.., C, $($Behind),*]: DividesAxis<$AXIS, GROUPS>,
            {
                let y = x.group_norm::<$AXIS, GROUPS>(checked(self.epsilon));
                $per_channel::<Lead, C, $($Behind,)* T>(y, &self.weight, &self.bias)
            }
        }

        impl<Lead: Shape, C: Axis, $($Behind: Axis,)* const GROUPS: usize, T: Float>
            Layer<Tensor<shape![Lead.., C, $($Behind),*], T>> for GroupNorm<C, GROUPS, T, $AXIS>
        where
            shape![Lead.., C, $($Behind),*]: DividesAxis<$AXIS, GROUPS>,
        {
            type Output = Tensor<shape![Lead.., C, $($Behind),*], T>;

            fn apply(
                &self,
                input: &Tensor<shape![Lead.., C, $($Behind),*], T>,
                _: &mut Pass,
            ) -> Self::Output {
                self.forward(input)
            }
        }
    )*};
    (@size $Behind:ident) => { "5" };
}

/// Generates `forward` of [`InstanceNorm`], not for the last axis: a single element cannot be normalised.
macro_rules! instance_norm_by_axis {
    ($($forward:ident $AXIS:literal $per_channel:ident [$($Behind:ident)*] $shape:literal;)*) => {$(
        impl<C: Axis, T: Float> InstanceNorm<C, T, $AXIS> {
            #[doc = concat!("The normalised input, `", $shape, "`, the same.")]
            ///
            /// # Panics
            ///
            /// If a named axis of the channels has another size than in the weight.
            ///
            /// ```
            /// use tensor_core::{Tensor, dim, shape};
            /// use tensor_nn::layers::InstanceNorm;
            ///
            #[doc = concat!("let layer: InstanceNorm<dim!(4), f32, ", $AXIS, "> = InstanceNorm::new();")]
            #[doc = concat!("let x = Tensor::<shape![3, 4", $(", ", instance_norm_by_axis!(@size $Behind),)* "]>::ones();")]
            /// assert_eq!(layer.forward(&x), Tensor::zeros());
            /// ```
            #[track_caller]
            pub fn $forward<Lead: Shape, $($Behind: Axis),*>(
                &self,
                x: &Tensor<shape![Lead.., C, $($Behind),*], T>,
            ) -> Tensor<shape![Lead.., C, $($Behind),*], T> {
                $per_channel(x.instance_norm::<$AXIS>(checked(self.epsilon)), &self.weight, &self.bias)
            }
        }

        impl<Lead: Shape, C: Axis, $($Behind: Axis,)* T: Float>
            Layer<Tensor<shape![Lead.., C, $($Behind),*], T>> for InstanceNorm<C, T, $AXIS>
        {
            type Output = Tensor<shape![Lead.., C, $($Behind),*], T>;

            fn apply(
                &self,
                input: &Tensor<shape![Lead.., C, $($Behind),*], T>,
                _: &mut Pass,
            ) -> Self::Output {
                self.forward(input)
            }
        }
    )*};
    (@size $Behind:ident) => { "5" };
}

// The method names are passed in here, so that messages do not mention the macro.
forward_by_axis! {
    forward -1 per_channel [] "[..lead, c]";
    forward -2 per_channel_of_sequences [N] "[..lead, c, n]";
    forward -3 per_channel_of_images [H W] "[..lead, c, h, w]";
}

instance_norm_by_axis! {
    forward -2 per_channel_of_sequences [N] "[..lead, c, n]";
    forward -3 per_channel_of_images [H W] "[..lead, c, h, w]";
}

no_input! {
    [C: Axis, const GROUPS: usize, T: Float, const AXIS: isize] GroupNorm<C, GROUPS, T, AXIS>;
    [C: Axis, T: Float, const AXIS: isize] InstanceNorm<C, T, AXIS>;
}
