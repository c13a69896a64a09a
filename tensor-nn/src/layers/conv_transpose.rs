//! Transposed convolutions.

use tensor_core::random::Generator;
use tensor_core::windows::{
    self, ConvSettings, ConvolveTransposed, ConvolvedTransposed, TimesGroups,
};
use tensor_core::{Axis, Element, Float, Module, Shape, StaticShape, Tensor, shape, shapes};

use super::convolution::{convolution_layer, first_axes, with_bias1d, with_bias2d};
use super::initial::uniform;
use super::{Bias, BiasFor, Layer, Pass};

convolution_layer! {
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
    pub struct ConvTranspose1d<K>(N), windows::Conv1dOptions<SX>;

    /// The kernel of each input channel for each output channel, as in PyTorch.
    pub weight [I, O];

    /// One element for each output, or [`NoBias`](super::NoBias).
    pub bias [O::Channels] where TimesGroups<G>, (_, o) => ((), o);

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
    pub fn new;

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
    pub fn forward: ConvolveTransposed ConvolvedTransposed, conv_transpose1d with_bias1d;
}

convolution_layer! {
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
    pub struct ConvTranspose2d<KH, KW>(H, W), windows::Conv2dOptions<SY, SX>;

    /// The kernel of each input channel for each output channel, as in PyTorch.
    pub weight [I, O];

    /// One element for each output, or [`NoBias`](super::NoBias).
    pub bias [O::Channels] where TimesGroups<G>, (_, o) => ((), o);

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
    pub fn new;

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
    pub fn forward: ConvolveTransposed ConvolvedTransposed, conv_transpose2d with_bias2d;
}
